import { capitalize } from '#domain/text.ts'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { acceptedBody, type AnyEndpoint, type AnyIntent } from '#contract/define.ts'
import { CodedProblem } from '#contract/problem-codes.ts'
import { type Need, permissionId } from '#domain/permissions.ts'
import { JsonSchemas } from '#server/http/json-schemas.ts'
import { nameOf } from '#server/http/route-table.ts'
import { isPublic, type ReadyRoute, type RouteTable, type Services } from '#server/http/route.ts'

type Json = Record<string, unknown>

/** Whether the client accepts gzip. */
const takesGzip = (header: unknown): boolean => /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(header ?? ''))

/** The bytes of the description, plain and compressed, with their ETag. */
interface Description {
  plain: Buffer
  zipped: Buffer
  etag: string
}

function describe(routes: RouteTable): Description {
  const plain = Buffer.from(JSON.stringify(openApiDocument(routes)))
  return { plain, zipped: gzipSync(plain), etag: `"${createHash('sha256').update(plain).digest('base64url')}"` }
}

/**
 * Serves the OpenAPI description. Its bytes are built and compressed once, on first request: otherwise every answer would encode
 * half a megabyte, and anybody may ask. Every portal start reads it, so an ETag lets browsers use their cached copy.
 */
export function openApi(app: FastifyInstance, { routes }: Services): void {
  let made: Description | undefined
  for (const path of ['/openapi.json', '/api/openapi.json']) {
    app.get(path, async (request, reply) => {
      made ??= describe(routes)
      const { plain, zipped, etag } = made
      const zip = takesGzip(request.headers['accept-encoding'])
      // Compressed bytes of the same document get a weak validator, as a compressing proxy would send.
      reply
        .header('cache-control', 'no-cache')
        .header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
        .header('etag', zip ? `W/${etag}` : etag)
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      if (zip) reply.header('content-encoding', 'gzip')
      return reply.header('content-type', 'application/json; charset=utf-8').send(zip ? zipped : plain)
    })
  }
}

const textUpTo = (maxLength: number): Json => ({ type: 'string', minLength: 1, maxLength })
const header = (name: string, schema: Json, more: Json): Json => ({ name, in: 'header', ...more, schema })

/** The OpenAPI 3.1 document of every endpoint that has a route. */
function openApiDocument({ routes }: Pick<RouteTable, 'routes'>): Json {
  const schemas = new JsonSchemas(namedIn(routes))
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { path, method } = route.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Admin API',
      version: '0.1.0',
      description: 'The admin API of an earned-wage-access and payroll-deduction service. Amounts are integer cents.',
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map((route) => route.endpoint.tag))].map((name) => ({
      name,
      description: `${name}: calls of the Admin Portal.`,
    })),
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        application_key: { type: 'apiKey', in: 'header', name: 'application-key', description: 'Answered by GET /credentials.' },
        person: { type: 'http', scheme: 'bearer', description: 'The access token that signing in answers.' },
      },
      parameters: {
        application_name: header('application-name', { type: 'string', const: 'ADMIN_PORTAL' }, { required: true }),
        idempotency_key: header('idempotency-key', textUpTo(200), {
          description: 'The same key with the same body answers the first reply again, for 24 hours.',
        }),
        money_idempotency_key: header('idempotency-key', textUpTo(200), {
          required: true,
          description:
            'A change of money is made under a key, so that it happens once; the first reply is answered again for 24 hours.',
        }),
        background: header(
          'x-background',
          { type: 'string', const: '1' },
          {
            description: 'Given where a page asks by itself: it does not keep the session alive.',
          },
        ),
        device_id: header('device-id', textUpTo(200), {
          description: 'What this browser keeps of an earlier sign-in, which others then cannot hinder.',
        }),
        command: header('command', textUpTo(100), {
          description: 'Which command of the client this call belongs to; kept in the audit.',
        }),
      },
      responses: {
        Problem: {
          description: 'What is wrong, as an RFC 9457 problem document.',
          content: { 'application/problem+json': { schema: schemas.of(CodedProblem, 'output') } },
        },
      },
    },
  }
}

/**
 * Names an answer schema by the path that reads it, `BankResult` for `/bank-results/{id}`, so that it appears once in the
 * document.
 */
function namedIn(routes: readonly ReadyRoute[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>([[CodedProblem, 'Problem']])
  for (const { endpoint } of routes) {
    const noun = endpoint.method === 'GET' && /([a-z-]+)\/\{\w+\}$/.exec(endpoint.path)?.[1]
    if (!noun || names.has(endpoint.answer)) continue
    const words = noun.split('-').map(capitalize)
    names.set(endpoint.answer, words.join('').replace(/(?<=...)s$/, ''))
  }
  return names
}

function operationOf(route: ReadyRoute, schemas: JsonSchemas): Json {
  const { endpoint } = route
  const open = isPublic(route)
  const body = bodyOf(route, schemas)
  const intents = route.intents.map((ready) => ready.intent)
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.tag],
    description: [...(intents.length > 0 ? intents.map(inWords) : [needInWords(endpoint.needs)])].join('\n'),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    ...(intents.length > 0 ? { 'x-intents': intents.map((intent) => intent.id) } : {}),
    security: [open ? { application_key: [] } : { application_key: [], person: [] }],
    parameters: [
      ...parametersOf(endpoint.params, 'path', schemas),
      ...parametersOf(endpoint.query, 'query', schemas),
      ...headersOf(route, schemas),
      { $ref: '#/components/parameters/application_name' },
      { $ref: `#/components/parameters/${open ? 'device_id' : 'background'}` },
      ...(endpoint.method === 'GET' || open
        ? []
        : [
            { $ref: `#/components/parameters/${endpoint.money ? 'money_' : ''}idempotency_key` },
            { $ref: '#/components/parameters/command' },
          ]),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [endpoint.status]: {
        description: 'Done.',
        ...(endpoint.status === 204 ? {} : { content: contentOf(endpoint.answer, schemas) }),
      },
      '4XX': { $ref: '#/components/responses/Problem' },
      '5XX': { $ref: '#/components/responses/Problem' },
    },
  }
}

/** The JSON Schema of a file, with its type or types. */
interface FileSchema {
  contentMediaType?: string
  anyOf?: { contentMediaType: string }[]
}

/** The content of an answer: JSON, or a file of the types in its schema. */
function contentOf(answer: z.ZodType, schemas: JsonSchemas): Json {
  if (!(answer instanceof z.ZodFile)) return { 'application/json': { schema: schemas.of(answer, 'output') } }
  const { contentMediaType = 'application/octet-stream', anyOf = [{ contentMediaType }] } = z.toJSONSchema(answer) as FileSchema
  const types = anyOf.map((one) => one.contentMediaType)
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
}

const operationId = (endpoint: AnyEndpoint): string =>
  nameOf(endpoint)
    .toLowerCase()
    .replace(/[{}]/g, '')
    .replace(/[^a-z0-9]+/g, '-')

const inWords = (intent: AnyIntent): string => `${intent.event} (\`${intent.id}\`). ${needInWords(intent.needs)}`

function needInWords(need: Need<never>): string {
  if (need.kind === 'public') return 'Needs the application key only.'
  if (need.kind === 'signed-in') return 'Needs a person who is signed in.'
  if (need.kind === 'by-intent') return 'Needs what its body means.'
  if (need.kind === 'as-entity') return 'Needs the right to read the entity.'
  if (need.kind === 'own-or') return `${needInWords(need.need)} One’s own needs nothing.`
  const names = need.names.map((name) => `${name} (${permissionId(name)})`)
  return need.kind === 'all'
    ? `Needs ${names.join(' and ')}.`
    : `Needs ${names.join(' or ')}${need.kind === 'by-target' ? ', by the target' : ''}.`
}

/** The body of a route with several intents is one of their bodies. */
function bodyOf(route: ReadyRoute, schemas: JsonSchemas): Json | undefined {
  const [only, ...more] = route.intents
  if (only && more.length === 0) return schemas.of(bodySchemaOf(only.intent), 'input')
  if (route.intents.length > 1)
    return { oneOf: route.intents.map((ready) => ({ title: ready.intent.id, ...schemas.of(ready.body, 'input') })) }
  if (!(route.body instanceof z.ZodObject)) return route.body && schemas.of(route.body, 'input')
  return schemas.of(route.body.omit(named(route.endpoint.headers) as never), 'input')
}

const named = (names: readonly string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]))

/** The body of an intent without the fields that travel as headers or parameters. */
const bodySchemaOf = (intent: AnyIntent): z.ZodObject => {
  const { headers, parameters, query } = intent.endpoint
  return acceptedBody(intent).omit(named([...headers, ...parameters, ...('version' in query.shape ? ['version'] : [])]) as never)
}

/** The fields of the body that travel as headers. */
function headersOf({ endpoint, intents: [first], body = first?.body }: ReadyRoute, schemas: JsonSchemas): Json[] {
  if (endpoint.headers.length === 0 || !(body instanceof z.ZodObject)) return []
  return parametersOf(body.pick(named(endpoint.headers) as never), 'header', schemas)
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query' | 'header', schemas: JsonSchemas): Json[] {
  const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required.includes(name) && !('default' in property)),
    schema: property,
  }))
}
