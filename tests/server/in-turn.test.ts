import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(server.origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('pipelined requests are answered in their order', async () => {
  const socket = await connected()
  const paths = ['/healthz', '/api/me', '/api/nowhere', '/readyz', '/healthz']
  socket.write(paths.map((path, at) => get(path, at === 4 ? 'connection: close\r\n' : '')).join(''))
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await once(socket, 'close')
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '401', '404', '200', '200'])
})

test('a connection that pipelines thousands is closed, whether or not it reads', async () => {
  const socket = await connected()
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(get('/healthz').repeat(3_000))
  await closed
  expect(text.split('HTTP/1.1').length).toBeLessThan(100)
})

test('requests with unread answers or lost connections delay nobody', async () => {
  const sockets = await Promise.all(Array.from({ length: 5 }, connected))
  for (const socket of sockets) {
    socket.pause()
    socket.write(get('/api/openapi.json').repeat(3_000))
  }
  await sleep(100)
  // If the thousands of documents came first, this would take longer than a test may.
  const alive = async () => (await fetch(`${server.origin}/healthz`)).status
  expect(await alive()).toBe(200)
  for (const socket of sockets) socket.destroy()
  expect(await alive()).toBe(200)
})

test('on shutdown requests already sent are answered, and then the connection is closed', async () => {
  const own = await createServer()
  const { hostname, port } = new URL(own.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  const [has, lock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locked = own.owner.transaction().execute(async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx)
    has.resolve()
    await lock.promise
  })
  await has.promise
  const application = `application-name: ADMIN_PORTAL\r\napplication-key: ${own.application['application-key']}\r\n`
  const waiting = async () => (await sql`select 1 from pg_locks where not granted`.execute(own.db)).rows.length
  socket.write(get('/api/me', `${application}authorization: Bearer ${'x'.repeat(43)}\r\n`))
  await expect.poll(waiting).toBeGreaterThan(0)
  socket.write(get('/healthz'))
  const closing = own.app.close()
  lock.resolve()
  await Promise.all([once(socket, 'close'), locked, closing])
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200'])
  expect(text.split('HTTP/1.1')[2]).toContain('onnection: close')
  await own.close()
})
