// The least that a page of a list costs over HTTP in this runtime: identify the caller, run the list's statement, send JSON.
// Its arguments are in the environment: DATABASE, and STATEMENT as JSON with `sql` and `parameters`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'

const { sql, parameters } = JSON.parse(process.env['STATEMENT'] ?? '') as { sql: string; parameters: unknown[] }
const client = new Client({ connectionString: process.env['DATABASE'] ?? '', options: '-c jit=off' })
await client.connect()
const server = createServer(async (_, reply) => {
  await client.query({ name: 'who', text: 'select id, name from people order by email limit 1' })
  const { rows } = await client.query({ name: 'bare', text: sql, values: parameters })
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify({ lek: null, employees: rows }))
})
server.listen(0, '127.0.0.1', () => console.log(`listening: http://127.0.0.1:${(server.address() as AddressInfo).port}`))
