import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#tests/support/process.ts'

const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'admin-portal-signals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a signal received twice, from the terminal and from npm, ends the server cleanly', async () => {
  const server = startProcess({ DATA_DIR: dataFolder(), SEED: 'none' })
  await server.ready
  server.child.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 5))
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, complaint: '' })
})

test('partial requests and silent connections do not delay the shutdown beyond 15 s', async () => {
  const server = startProcess({ DATA_DIR: dataFolder(), SEED: 'none' })
  const { hostname, port } = new URL(await server.ready)
  const halves = [
    '',
    'GET /api/me HT',
    'GET /api/me HTTP/1.1\r\nhost: x\r\nauthoriz',
    'POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"email',
    'POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"em',
  ]
  let received = ''
  for (const half of halves) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      received += data
    })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(half)
  }
  expect((await fetch(`http://${hostname}:${port}/healthz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, complaint: '' })
  // It did not wait until their time to arrive was over.
  expect(received).not.toContain('408')
})

test('a load balancer learns that the server stops while it still takes requests', async () => {
  const server = startProcess({ DATA_DIR: dataFolder(), SEED: 'none', DRAIN_SECONDS: '5' })
  const origin = await server.ready
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  const readiness = async () => {
    const reply = await fetch(`${origin}/readyz`)
    return [reply.status, await reply.json()]
  }
  await expect.poll(readiness).toEqual([503, { status: 'not ready', reason: 'The server is stopping.' }])
  // A new connection, too.
  expect((await fetch(`${origin}/api/me`, { headers: { connection: 'close' } })).status).toBe(401)
  expect(await server.ended).toMatchObject({ code: 0, complaint: '' })
})
