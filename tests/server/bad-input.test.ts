import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CodedProblem } from '#contract/problem-codes.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

/** Sends raw bytes, and returns status and body. */
function raw(bytes: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ status: Number(text.split(' ')[1]), text }))
  })
}

test('an unknown path is 404, a wrong method 405 with the allowed ones', async () => {
  const unknown = await call(server, 'GET', '/nowhere/at/all')
  expect(unknown.status).toBe(404)
  expect(unknown.headers.get('content-type')).toContain('application/problem+json')
  expect(CodedProblem.parse(unknown.body).code).toBe('not-found')
  for (const method of ['PUT', 'OPTIONS', 'DELETE']) {
    const wrong = await call(server, method, '/auth')
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')).toBe('POST')
    expect(wrong.body.code).toBe('method-not-allowed')
  }
})

test.each([
  ['not JSON', '{"email":', 400, 'malformed-request'],
  ['a bare word', 'hello', 400, 'malformed-request'],
  ['null', 'null', 422, 'validation-failed'],
  ['a list', '[]', 422, 'validation-failed'],
  ['text', '"x"', 422, 'validation-failed'],
  ['nothing', '', 422, 'validation-failed'],
  ['an unknown field', '{"email":"a@example.com","password":"x","admin":true}', 422, 'validation-failed'],
  ['a prototype', '{"email":"a@example.com","password":"x","__proto__":{"admin":true}}', 422, 'validation-failed'],
  ['a constructor', '{"email":"a@example.com","password":"x","constructor":{}}', 422, 'validation-failed'],
  ['NUL', '{"email":"a@example.com","password":"x\\u0000"}', 422, 'validation-failed'],
  ['half a pair', '{"email":"a@example.com","password":"\\ud800"}', 422, 'validation-failed'],
  ['a number for text', '{"email":12,"password":true}', 422, 'validation-failed'],
  ['a deep nest', `{"email":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 400, 'malformed-request'],
  ['more than 16 kB', JSON.stringify({ email: 'x'.repeat(17_000) }), 413, 'payload-too-large'],
])('a body that is %s gets a problem document', async (_, body, status, code) => {
  const response = await fetch(`${server.origin}/api/auth`, {
    method: 'POST',
    headers: { ...server.application, 'content-type': 'application/json' },
    body,
  })
  expect([response.status, CodedProblem.parse(await response.json()).code]).toEqual([status, code])
})

test('another content type is 415', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml']) {
    const response = await fetch(`${server.origin}/api/auth`, {
      method: 'POST',
      headers: { ...server.application, 'content-type': type },
      body: 'x=1',
    })
    expect([response.status, CodedProblem.parse(await response.json()).code]).toEqual([415, 'unsupported-media-type'])
  }
})

test('a compressed body is 415, and says that none is accepted', async () => {
  const headers = { ...server.application, 'content-type': 'application/json' }
  const signIn = (coding: string) =>
    fetch(`${server.origin}/api/auth`, { method: 'POST', headers: { ...headers, 'content-encoding': coding }, body: '{}' })
  const refused = await signIn('gzip')
  expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  expect(CodedProblem.parse(await refused.json()).detail).toBe('Send the body as it is, without Content-Encoding.')
  expect((await signIn('identity')).status).toBe(422)
})

test('unreadable or too long HTTP still gets a problem document', async () => {
  const long = await raw(`GET /api/employees?q=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)
  expect(long.status).toBe(431)
  const garbage = await raw('HELLO\r\n\r\n')
  expect(garbage.status).toBe(400)
  const badEscape = await raw('GET /api/employees/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(badEscape.status).toBe(400)
  for (const { text } of [long, garbage, badEscape]) {
    expect(text).toContain('application/problem+json')
    expect(CodedProblem.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).code).toBe('malformed-request')
  }
})

test('requests that Node itself refuses get a problem document', async () => {
  const answers = await Promise.all([
    raw('GET /api/me HTTP/1.1\r\nconnection: close\r\n\r\n'),
    raw('POST /api/auth HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    raw('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n'),
    raw('PROPFIND /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
    raw('NONSENSE /api/me HTTP/1.1\r\nhost: x\r\n\r\n'),
    raw('POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    raw('GET /api/me HTTP/1.1\r\nhost: x\r\nhost: y\r\nx: \u0000\r\n\r\n'),
    raw('GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n'),
    raw('GET /healthz HTTP/1.0\r\nhost: x\r\nhost: x\r\n\r\n'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([400, 417, 405, 405, 400, 400, 400, 400, 400])
  for (const { text, status } of answers) {
    expect(text.toLowerCase()).toContain('content-type: application/problem+json')
    expect(text.toLowerCase()).toContain("content-security-policy: default-src 'none'")
    const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
    expect(CodedProblem.parse(JSON.parse(body)).status).toBe(status)
  }
})

test('responses are locked down for browsers, and send HSTS behind TLS', async () => {
  // Paths that the router cannot decode and refuses before any hook runs.
  const unroutable = ['/api/employees/%zz', `/api/employees/${'1'.repeat(250)}`, '/x/%zz']
  const paths = ['/api/credentials', '/api/nowhere', '/openapi.json', '/healthz', '/readyz', ...unroutable]
  for (const path of paths) {
    const { headers } = await fetch(server.origin + path, { headers: server.application })
    expect([path, headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([
      path,
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'nosniff',
    ])
    expect([path, headers.get('strict-transport-security')]).toEqual([path, null])
    if (path.startsWith('/api')) expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
    expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer'])
  }
  const led = await fetch(`${server.origin}/x/%zz`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect([led.status, led.headers.get('location'), led.headers.get('x-content-type-options')]).toEqual([
    302,
    '/no-such-page',
    'nosniff',
  ])
  const behindTls = await createServer({ app: { publicUrl: 'https://admin.example.com' } })
  try {
    for (const path of paths)
      expect((await fetch(behindTls.origin + path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  } finally {
    await behindTls.close()
  }
})

const header = 'max-age=31536000'
test.each([
  ['nobody', false, { https: null }],
  ['another proxy', '192.0.2.1', { https: null }],
  // Entries that the caller itself adds to the left are ignored.
  ['one proxy', 1, { https: header, http: null, 'https, http': null, 'http, https': header }],
  ['a proxy by its address', '127.0.0.1', { https: header }],
] as const)('TLS is recognized by the header of a trusted proxy: %s', async (_, proxy, words) => {
  const behind = await createServer({ app: { trustProxy: typeof proxy === 'string' ? [proxy] : proxy } })
  try {
    for (const [word, says] of Object.entries(words)) {
      const { headers } = await fetch(`${behind.origin}/healthz`, { headers: { 'x-forwarded-proto': word } })
      expect([word, headers.get('strict-transport-security')]).toEqual([word, says])
    }
  } finally {
    await behind.close()
  }
})

test('a request that the client aborts is not logged as an error', async () => {
  const lines: string[] = []
  const other = await createServer({ app: { logLevel: 'warn', logTo: { write: (line) => void lines.push(line) } } })
  try {
    const { hostname, port } = new URL(other.origin)
    for (const half of ['content-length: 100\r\n\r\n{"email', 'transfer-encoding: chunked\r\n\r\n5\r\n{"em'])
      for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => undefined)
        const received = once(other.app.server, 'request')
        socket.write(`POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${half}`)
        const [request] = await received
        const gone = new Promise((resolve) => request.socket.once('close', resolve))
        socket[end]()
        await gone
        socket.destroy()
      }
  } finally {
    // After that no request is being handled.
    await other.close()
  }
  expect(lines).toEqual([])
})

test('every protected endpoint answers 401 without a person, with a wrong key or a wrong token', async () => {
  for (const { endpoint, change } of server.services.routes.routes) {
    if (endpoint.needs.kind === 'public' && !change) continue
    const path = endpoint.path.replace(/\{\w+\}/g, '1')
    const nobody = await call(server, endpoint.method, path)
    expect([path, nobody.status, nobody.body.code]).toEqual([path, 401, 'not-signed-in'])
    const madeUp = await call(server, endpoint.method, path, {
      headers: { ...server.application, authorization: 'Bearer nonsense' },
    })
    expect([path, madeUp.status]).toEqual([path, 401])
    const stranger = await call(server, endpoint.method, path, {
      headers: { 'application-key': 'x', 'application-name': 'ADMIN_PORTAL' },
    })
    expect([path, stranger.status, stranger.body.code]).toEqual([path, 401, 'application-key-invalid'])
  }
})
