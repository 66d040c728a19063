import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentSecurityPolicy } from '#server/http/static.ts'
import { type TestServer, createServer } from '#tests/support/server.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Admin Portal</title>')
  await writeFile(join(folder, 'assets', 'main-abc123.js'), 'console.log(1)')
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync('console.log(1)'))
  for (const name of ['main-abc123.js.map', 'main-abc123.js.map.br', 'main-abc123.js.map.gz'])
    await writeFile(join(folder, 'assets', name), 'a map')
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}')
  await writeFile(join(folder, 'version.json'), '{"version":"first"}')
  await writeFile(join(folder, '..', 'secret-beside-the-portal.txt'), 'secret')
  server = await createServer({ app: { portalFolder: folder, environment: 'staging' } })
})
afterAll(async () => {
  await server.close()
  await rm(join(folder, '..', 'secret-beside-the-portal.txt'), { force: true })
  await rm(folder, { recursive: true, force: true })
})

test('every path outside the API is the page, which is always revalidated', async () => {
  for (const path of ['/', '/employees', '/employees/100042?status_type=is', '/a/b/c']) {
    const page = await fetch(server.origin + path)
    expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
    expect(await page.text()).toContain('<title>Admin Portal</title>')
  }
})

test('the page loads only from this origin, has no inline scripts, and cannot be framed', async () => {
  const page = await fetch(server.origin)
  const policy = Object.fromEntries(
    (page.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  )
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'worker-src': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'own-worker',
  })
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(contentSecurityPolicy('https://api.example.com/v1')).toContain("connect-src 'self' https://api.example.com;")
})

test('files with a hash in the name are cached for good, and compressed on request', async () => {
  const file = await fetch(`${server.origin}/assets/main-abc123.js`, { headers: { 'accept-encoding': 'br' } })
  expect([file.status, file.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(file.headers.get('content-type')).toContain('javascript')
  expect(await file.text()).toBe('console.log(1)')
  const plain = await fetch(`${server.origin}/assets/main-abc123.js`, { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'console.log(1)'])
})

test('a missing file is 404 instead of the page, and nothing outside the folder is served', async () => {
  for (const path of [
    '/assets/gone.js',
    '/%2e%2e/secret-beside-the-portal.txt',
    '/..%2fsecret-beside-the-portal.txt',
    '/assets/..%2f..%2fsecret-beside-the-portal.txt',
  ]) {
    const answer = await fetch(server.origin + path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.text()).not.toBe('secret')
  }
  expect((await fetch(`${server.origin}/%zz`)).status).toBe(400)
  expect((await fetch(`${server.origin}/employees`, { method: 'POST' })).status).toBe(405)
})

test('source maps and other internal build files are not served', async () => {
  for (const path of [
    '/assets/main-abc123.js.map',
    '/assets/main-abc123.js.map.br',
    '/assets/main-abc123.js.map.gz',
    '/assets/main-abc123.js%2emap',
    '/.vite/manifest.json',
    '/%2evite/manifest.json',
  ])
    expect([path, (await fetch(server.origin + path, { headers: { 'accept-encoding': 'br, gzip' } })).status]).toEqual([
      path,
      404,
    ])
})

test('the portal reads the address of its API and the served build from /config.json', async () => {
  const config = await fetch(`${server.origin}/config.json`)
  expect(await config.json()).toEqual({ environment: 'staging', api: '/api', application_key: 'public-local', version: 'first' })
  await writeFile(join(folder, 'version.json'), '{"version":"second"}')
  expect(await (await fetch(`${server.origin}/config.json`)).json()).toMatchObject({ version: 'second' })
  expect(config.headers.get('cache-control')).toBe('no-cache')
})

test('an address that cannot be decoded is a page for people and a problem for programs', async () => {
  const page = await fetch(`${server.origin}/employees/%E0%A4%A`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect((await fetch(`${server.origin}/employees/%E0%A4%A`)).status).toBe(400)
})
