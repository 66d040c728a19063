import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnyEndpoint, collect } from '#contract/define.ts'
import { modulesIn } from '#server/modules-in.ts'

/** An API with the calls of the specification's section 7, and nothing else. */
export interface Section7 {
  /** Its base URL. */
  base: string
  /** The server behind it; set once it is running. */
  origin: string
  /** The calls since this was last emptied, with the names of their parameters: `GET employers/{id}/invoices?page,pageSize`. */
  asked: string[]
  /** Requested items that section 7 does not name: calls, parameters, fields of a body. */
  unspecified: string[]
  stop: () => Promise<void>
}

const { endpoints } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())

const asPattern = ({ path }: AnyEndpoint): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)

/** The call that a request matches: paths without parameters take precedence. */
const endpointOf = (method: string, path: string): AnyEndpoint | undefined =>
  endpoints
    .filter((each) => each.method === method && asPattern(each).test(path))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]

/** Additional fields of answers: versions, the author of a note, cookies of the sign-in, cursors besides pages. */
const additionalFields = ({ specified }: AnyEndpoint): readonly string[] => [
  'version',
  'own',
  'device',
  'expires_at',
  ...(specified.includes('page') ? ['lek'] : []),
]

const sentHeaders = ['application-key', 'application-name', 'authorization', 'content-type', 'brand'] as const

interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string }[]
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { parameters?: Record<string, { name: string; in: string }> }
}

/**
 * The document of the real server, reduced to what section 7 names: calls, their parameters, and headers that a browser may send.
 */
function specifiedIn(document: Document): Document {
  const isSpecified = (endpoint: AnyEndpoint, { $ref, ...itself }: NonNullable<Operation['parameters']>[number]) => {
    const named = $ref ? document.components?.parameters?.[$ref.split('/').at(-1) ?? ''] : itself
    if (named?.in === 'path') return true
    const name = named?.name ?? ''
    return named?.in === 'header'
      ? (sentHeaders as readonly string[]).includes(name.toLowerCase())
      : endpoint.specified.includes(name)
  }
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const kept = Object.entries(operations).flatMap(([method, operation]) => {
      const endpoint = endpoints.find((each) => each.path === path && each.method === method.toUpperCase())
      if (!endpoint || endpoint.extension) return []
      const parameters = operation.parameters?.filter((each) => isSpecified(endpoint, each))
      return [[method, { ...operation, ...(parameters && { parameters }) }] as const]
    })
    return [path, Object.fromEntries(kept)] as const
  })
  return { ...document, paths: Object.fromEntries(paths.filter(([, kept]) => Object.keys(kept).length > 0)) }
}

/**
 * Starts it in front of a real server: other calls are missing, other headers are refused to browsers, unknown parameters and
 * fields are ignored, and a refusal has a sentence only. It has no versions, and no OpenAPI document unless it is `documented`,
 * which then has just these calls.
 */
export async function startSection7({ documented = false } = {}): Promise<Section7> {
  const without = (value: unknown, ours: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each) => without(each, ours))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !ours.includes(name))
        .map(([name, each]) => [name, without(each, ours)]),
    )
  }

  const reply = (request: IncomingMessage, response: ServerResponse, status: number, body: unknown, seen = true) => {
    const { origin } = request.headers
    response.writeHead(status, {
      'content-type': 'application/json',
      // A gateway that does not know a call adds no CORS headers.
      ...(seen && origin ? { 'access-control-allow-origin': origin, vary: 'origin' } : {}),
    })
    response.end(JSON.stringify(body))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://section-7')
    const { origin } = request.headers
    if (request.method === 'OPTIONS') {
      response.writeHead(204, {
        'access-control-allow-origin': origin ?? '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': sentHeaders.join(', '),
      })
      response.end()
      return
    }
    if (documented && pathname === '/openapi.json') {
      const whole = await fetch(`${api.origin}/api/openapi.json`)
      return reply(request, response, 200, specifiedIn((await whole.json()) as Document))
    }
    const endpoint = endpointOf(request.method ?? '', pathname)
    if (!endpoint || endpoint.extension) {
      // The portal asks every API for its description.
      if (pathname !== '/openapi.json') api.unspecified.push(`${request.method} ${pathname}`)
      return reply(request, response, 404, { message: 'Not Found' }, false)
    }
    const names = [...new Set(searchParams.keys())].sort()
    api.asked.push(`${endpoint.method} ${endpoint.path.slice(1)}${names.length > 0 ? `?${names.join()}` : ''}`)
    for (const name of [...searchParams.keys()]) {
      if (endpoint.specified.includes(name)) continue
      api.unspecified.push(`${request.method} ${endpoint.path}?${name}`)
      searchParams.delete(name)
    }
    const body = await bodyOf(request)
    for (const name of ['version', 'expected'])
      if (body && name in body) api.unspecified.push(`${request.method} ${endpoint.path} with ${name}`)
    const asked = await fetch(`${api.origin}/api${pathname}?${searchParams}`, {
      method: endpoint.method,
      headers: Object.fromEntries(
        sentHeaders.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
      ),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await asked.text()
    const json: unknown = text === '' ? {} : JSON.parse(text)
    const { detail } = json as { detail?: string }
    reply(request, response, asked.status, asked.ok ? without(json, additionalFields(endpoint)) : { detail })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => reply(request, response, 500, { message: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const api: Section7 = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    origin: '',
    asked: [],
    unspecified: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return api
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
}
