import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/postgres/connect.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

/** Parameters that PgBouncer 1.18 takes at the start of a connection; it refuses all others. */
const taken = ['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name']

let database: TestDatabase
let pooler: Server

/** Refuses a connection as PgBouncer does: an error with the code 08P01 (PostgreSQL protocol, ErrorResponse). */
function refuse(client: Socket, parameter: string): void {
  const fields = Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  client.end(Buffer.concat([head, fields]))
}

beforeAll(async () => {
  database = await createDatabase()
  const { hostname, port } = new URL(database.url)
  pooler = createServer((client) => {
    client.once('data', (startup) => {
      // Length and version, then names and values.
      const parts = startup.subarray(8).toString().split('\0')
      const names = parts.filter((_, place) => place % 2 === 0 && parts[place])
      const unknown = names.find((name) => !taken.includes(name.toLowerCase()))
      if (unknown) return refuse(client, unknown)
      const server = connect(Number(port), hostname)
      server.write(startup)
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) socket.on('error', () => [client, server].map((each) => each.destroy()))
    })
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  pooler.close()
  await database.drop()
})

test('a pooler that refuses parameters of a connection keeps every setting of a session', async () => {
  const url = new URL(database.url)
  url.port = String((pooler.address() as { port: number }).port)
  const pool = openPool({ url: url.href, name: 'tests', businessTimeZone: 'Asia/Tokyo', statementTimeout: 4_000, connections: 1 })
  const names = [
    'portal.business_time_zone',
    'TimeZone',
    'jit',
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
  ]
  const { rows } = await pool.query(`select ${names.map((name) => `current_setting('${name}') as "${name}"`)}`)
  expect(rows[0]).toEqual({
    'portal.business_time_zone': 'Asia/Tokyo',
    TimeZone: 'UTC',
    jit: 'off',
    statement_timeout: '4s',
    lock_timeout: '3500ms',
    idle_in_transaction_session_timeout: '1min',
  })
  await pool.end()
})
