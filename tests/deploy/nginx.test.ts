import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, listens } from '#tests/deploy/ports.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let database: TestDatabase
let server: ServerProcess
let proxy: ChildProcess
let folder: string
let port: number

beforeAll(async () => {
  database = await createDatabase()
  server = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'silent', TRUST_PROXY: '1' })
  const upstream = new URL(await server.ready)
  folder = mkdtempSync(join(tmpdir(), 'admin-portal-nginx-'))
  chmodSync(folder, 0o755)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]
  execFileSync('openssl', request, { stdio: 'ignore' })
  port = await freePort()
  const values: Record<string, string> = { FOLDER: folder, LISTEN: `127.0.0.1:${port}`, SERVER: upstream.host }
  const settings = readFileSync('deploy/nginx.conf', 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] as string)
  writeFileSync(join(folder, 'nginx.conf'), settings)
  proxy = spawn('nginx', ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  while (!(await listens(port))) await new Promise(setImmediate)
})
afterAll(async () => {
  proxy.kill('SIGTERM')
  await once(proxy, 'exit')
  server.child.kill('SIGKILL')
  await server.ended
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const answerOf = (path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve(answer)
    }).once('error', reject)
  })

test('people come over TLS, lists are compressed, and a request has one id', async () => {
  const headers = await signInAs(
    { origin: await server.ready, db: database.db },
    await createPerson(database.db, { groups: [1] }),
  )
  const list = await answerOf('/api/permissions', { ...headers, 'accept-encoding': 'gzip' })
  expect([list.statusCode, list.headers['content-encoding']]).toEqual([200, 'gzip'])
  expect(list.headers['strict-transport-security']).toMatch(/^max-age=\d+/)
  expect(list.headers['x-request-id']).toMatch(/^[\da-f]{32}$/)
  const page = await answerOf('/employees', { accept: 'text/html' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
})
