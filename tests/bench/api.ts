import { spawn } from 'node:child_process'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Client } from 'pg'
import { listEmployees } from '#contract/employees.ts'
import { permissionIds } from '#domain/permissions.ts'
import { openCluster } from '#server/postgres/cluster.ts'
import { openPool } from '#server/postgres/connect.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { pageOfEmployees } from '#server/tables/employee-list.ts'
import { send } from '#tests/bench/client.ts'
import { type Figures, figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const times = 400
const warmUp = 100
const pageSize = 33

const everything: Actor = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Bench',
  email: 'bench@example.com',
  kind: 'ADMIN',
  groupIds: [1],
  held: new Set(permissionIds),
  sessionId: 'bench',
}

/** The SQL statement of one page of the list, as the server builds it. */
async function statementOf(url: string): Promise<CompiledQuery> {
  const seen: CompiledQuery[] = []
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 1 })
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void seen.push(query as CompiledQuery),
  })
  const query = listEmployees.query.parse({ limit: String(pageSize) })
  await pageOfEmployees(db as unknown as Tx, everything, query, null)
  await db.destroy()
  const longest = seen.sort((a, b) => b.sql.length - a.sql.length)[0]
  if (!longest) throw new Error('The list ran no statement.')
  return longest
}

/** Milliseconds of that statement alone, prepared, on one connection. */
async function bare(url: string): Promise<number[]> {
  const { sql, parameters } = await statementOf(url)
  const client = new Client({ connectionString: url, options: '-c jit=off' })
  await client.connect()
  const run = () => client.query({ name: 'bench', text: sql, values: [...parameters] })
  await timed(warmUp, run)
  const series = await timed(times, run)
  await client.end()
  return series
}

/** A server that does nothing but such a page (`bare-server.ts`), in a process of its own like the product's. */
async function startBareServer(url: string): Promise<{ origin: string; stop: () => void }> {
  const { sql, parameters } = await statementOf(url)
  const child = spawn(process.execPath, ['tests/bench/bare-server.ts'], {
    env: { PATH: process.env['PATH'], DATABASE: url, STATEMENT: JSON.stringify({ sql, parameters }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => resolve(/listening: (\S+)/.exec(String(text))?.[1] ?? ''))
    child.on('exit', () => reject(new Error('The bare server ended.')))
  })
  return { origin, stop: () => child.kill() }
}

/** Pages of the list over HTTP: the first one, and one near the end. */
export async function benchApi(origin: string, folder: string, employees: number): Promise<Measure[]> {
  const url = (await openCluster(folder)).url('admin_portal')
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 1 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
  await db.destroy()

  const get = async (path: string): Promise<{ lek: string | null; employees: unknown[] }> => {
    const { status, body } = await send('GET', `${origin}/api${path}`, headers)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body}`)
    return JSON.parse(body) as { lek: string | null; employees: unknown[] }
  }

  const deep = Math.min(30_000, Math.floor((employees * 0.95) / pageSize))
  let lek: string | null = null
  for (let rows = 0; rows + 200 < deep * pageSize; rows += 200) {
    const page: { lek: string | null } = await get(`/employees?limit=200${lek ? `&lek=${encodeURIComponent(lek)}` : ''}`)
    lek = page.lek
  }
  const first = () => get(`/employees?limit=${pageSize}`)
  const late = () => get(`/employees?limit=${pageSize}&lek=${encodeURIComponent(lek as string)}`)

  await timed(warmUp, first)
  await timed(warmUp, late)
  const bareServer = await startBareServer(url)
  const least = async () => void JSON.parse((await send('GET', bareServer.origin, {})).body)
  await timed(warmUp, least)
  const series: Record<'first' | 'late' | 'least', number[]> = { first: [], late: [], least: [] }
  // Interleaved, so that both measurements see the same noise of the machine.
  for (let index = 0; index < times; index++) {
    series.first.push(...(await timed(1, first)))
    series.late.push(...(await timed(1, late)))
    series.least.push(...(await timed(1, least)))
  }
  bareServer.stop()
  const statement = figuresOf(await bare(url))
  const page1: Figures = figuresOf(series.first)
  const pageN: Figures = figuresOf(series.late)
  const floor = figuresOf(series.least)
  const all = employees.toLocaleString('en-US')
  return [
    {
      what: `statement of a page by itself, ${all} employees, p50`,
      value: statement.p50,
      unit: 'ms',
      budget: null,
      detail: statement,
    },
    { what: 'page 1 over HTTP, p50', value: page1.p50, unit: 'ms', budget: null, detail: page1 },
    { what: 'page 1 over HTTP, p99', value: page1.p99, unit: 'ms', budget: 10 },
    { what: 'page 1 over HTTP / statement by itself, p50', value: page1.p50 / statement.p50, unit: 'times', budget: 3 },
    { what: 'the same statement behind a bare HTTP server, p50', value: floor.p50, unit: 'ms', budget: null, detail: floor },
    { what: 'the same statement behind a bare HTTP server, p99', value: floor.p99, unit: 'ms', budget: null },
    { what: 'page 1 over HTTP / bare HTTP server, p50', value: page1.p50 / floor.p50, unit: 'times', budget: 1.3 },
    {
      what: `page ${deep.toLocaleString('en-US')} / page 1, p50`,
      value: pageN.p50 / page1.p50,
      unit: 'times',
      budget: 1.2,
      detail: pageN,
    },
  ]
}
