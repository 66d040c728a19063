import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameOf } from '#server/http/route-table.ts'
import { type TestServer, createServer } from '#tests/support/server.ts'

let server: TestServer
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, which the linter judges
let document: any
beforeAll(async () => {
  server = await createServer()
  document = await (await fetch(`${server.origin}/openapi.json`)).json()
})
afterAll(() => server.close())

test('the document passes a public linter without a warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
    const linted = promisify(execFile)(
      process.execPath,
      [
        'node_modules/@redocly/cli/bin/cli.js',
        'lint',
        join(folder, 'openapi.json'),
        '--config',
        'redocly.yaml',
        '--format',
        'json',
      ],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    )
    const { totals } = JSON.parse((await linted).stdout)
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('every endpoint and intent of the contract is served, and is in the document', () => {
  const { endpoints, intents, byEndpoint, byIntent } = server.services.routes
  expect(endpoints.map(nameOf).filter((name) => !byEndpoint.has(name))).toEqual([])
  expect(intents.map((intent) => intent.id).filter((id) => !byIntent.has(id))).toEqual([])
  for (const endpoint of endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()]
    expect([endpoint.path, operation['x-extension'] === true]).toEqual([endpoint.path, endpoint.extension])
    expect(Object.keys(operation.responses)).toContain(String(endpoint.status))
  }
})

test('repeated answers are defined once by name, and the document is small enough to parse', () => {
  const { schemas } = document.components
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Problem', 'Invoice', 'Employee', 'BankResult', 'Ems']))
  const [read, pause] = [document.paths['/employees/{id}'].get, document.paths['/employees/{id}'].patch].map(
    ({ responses }) => responses['200'].content['application/json'].schema,
  )
  expect([read, pause]).toEqual([{ $ref: '#/components/schemas/Employee' }, { $ref: '#/components/schemas/Employee' }])
  const list = document.paths['/invoices'].get.responses['200'].content['application/json'].schema
  expect(JSON.stringify(list)).toContain('"items":{"$ref":"#/components/schemas/Invoice"}')
  expect(schemas.Invoice.properties.due_date).toEqual({ type: 'string', format: 'date' })
  expect(JSON.stringify(document).length).toBeLessThan(600_000)
})

test('every write names its permission, or says that anybody may', () => {
  const { intents, endpoints } = server.services.routes
  // Saved views belong to the person.
  for (const intent of intents)
    if (!['views.save', 'session.end', 'session.end-others'].includes(intent.id))
      expect([intent.id, ['all', 'any', 'by-target', 'as-entity'].includes(intent.needs.kind)]).toEqual([intent.id, true])
  const open = endpoints.filter((endpoint) => endpoint.needs.kind === 'public').map(nameOf)
  expect(open.sort()).toEqual([
    'GET /credentials',
    'GET /demo/accounts',
    'POST /auth',
    'POST /auth/device-link',
    'POST /auth/device-link/open',
    'POST /auth/forgot-password',
    'POST /auth/forgot-password/confirm',
    'POST /auth/forgot-password/verify',
    'POST /auth/invitation',
    'POST /auth/invitation/check',
    'POST /imports/mail',
    'POST /users/confirm-email',
    'POST /{userId}/mfa',
    'POST /{userId}/recovery-code',
  ])
})

test('the document names the server, and is the same under /api', async () => {
  expect(document.servers).toEqual([{ url: '/api' }])
  expect(await (await fetch(`${server.origin}/api/openapi.json`)).json()).toEqual(document)
})

test('a browser with the current document gets 304, and still revalidates it', async () => {
  const address = `${server.origin}/api/openapi.json`
  const { headers } = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
  const etag = headers.get('etag') as string
  expect([etag.length, headers.get('cache-control')]).toEqual([45, 'no-cache'])
  const kept = await fetch(address, { headers: { 'if-none-match': `W/${etag}` } })
  expect([kept.status, await kept.text()]).toEqual([304, ''])
  expect((await fetch(address, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
})

test('the document is compressed on request, under another ETag of the same version', async () => {
  const ask = async (encodings: string) => {
    const { headers } = await fetch(`${server.origin}/api/openapi.json`, { headers: { 'accept-encoding': encodings } })
    return [headers.get('content-encoding'), headers.get('etag')?.startsWith('W/'), headers.get('vary')]
  }
  for (const encodings of ['gzip', 'br, GZIP;q=0.5, *;q=0'])
    expect([encodings, await ask(encodings)]).toEqual([encodings, ['gzip', true, 'accept-encoding']])
  for (const encodings of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])
    expect([encodings, await ask(encodings)]).toEqual([encodings, [null, false, 'accept-encoding']])
})

test('an endpoint with several intents has one body for each, distinct by its fixed fields', () => {
  const { schema } = document.paths['/employees/{id}'].patch.requestBody.content['application/json']
  expect(schema.oneOf.map((body: { title: string }) => body.title)).toEqual([
    'employee.pause',
    'employee.resume',
    'employee.change-pay',
  ])
  expect(schema.oneOf[0].properties.status).toMatchObject({ const: 'PAUSED' })
  expect(schema.oneOf[0].additionalProperties).toBe(false)
})
