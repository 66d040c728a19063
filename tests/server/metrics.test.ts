import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { largeFrom } from '#domain/import.ts'
import { keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { createServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let database: TestDatabase
let server: ServerProcess
let origin: string
let metrics: string

beforeAll(async () => {
  database = await createDatabase()
  server = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'silent', METRICS_PORT: '0' })
  origin = await server.ready
  metrics = await server.printed(/Metrics: (\S+)/)
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  await database.drop()
})

/** The value of a series by its name and labels; null if it is not shown. */
async function seriesValue(name: string, ...labels: string[]): Promise<number | null> {
  const text = await (await fetch(metrics)).text()
  const line = text.split('\n').find((each) => each.startsWith(name) && labels.every((label) => each.includes(label)))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

test('/metrics has requests by route and status, pools, jobs, and the lag of the event loop', async () => {
  const headers = await signInAs({ origin, db: database.db }, await createPerson(database.db, { groups: [1] }))
  expect((await fetch(`${origin}/api/employees/999999`, { headers })).status).toBe(404)
  await fetch(`${origin}/api/employees/888888`, { headers })
  const count = 'admin_portal_request_duration_seconds_count'
  const ofEmployee = ['route="/api/employees/:id"', 'status="404"', 'method="GET"']
  await expect.poll(() => seriesValue(count, ...ofEmployee)).toBe(2)
  expect(await seriesValue(count, '999999')).toBeNull()
  expect(await seriesValue('admin_portal_database_up')).toBe(1)
  expect(await seriesValue('admin_portal_database_connections', 'pool="requests"', 'state="waiting"')).toBe(0)
  expect(await seriesValue('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  for (const kind of ['run', 'export', 'import', 'mail']) expect(await seriesValue('admin_portal_jobs', `kind="${kind}"`)).toBe(0)
  await database.owner
    .insertInto('outbox')
    .values({
      recipient: 'a@example.com',
      subject: 'x',
      body: 'x',
      created_at: new Date(Date.now() - 90_000),
      expires_at: new Date(Date.now() + 90_000),
      next_attempt_at: new Date(Date.now() + 90_000),
    } as never)
    .execute()
  expect(await seriesValue('admin_portal_jobs', 'kind="mail"')).toBe(1)
  expect(await seriesValue('admin_portal_oldest_job_seconds', 'kind="mail"')).toBeGreaterThanOrEqual(90)
})

test('/metrics has by lane the files that wait for their turn, and those being imported', async () => {
  const { organizationId } = await createCompany(database.db, 'Harbor')
  const add = (size: number, status: string, phase: string | null = null) =>
    sql`insert into imports (organization_id, kind, source, file_name, file_key, size, hash, status, phase, received_by, received_by_name)
      values (${organizationId}, 'EMPLOYEE', 'UPLOAD', 'a.csv', 'a', ${size}, 'x', ${status}, ${phase}, 'x', 'x')`.execute(
      database.owner,
    )
  const countOf = (lane: string, state: string) => seriesValue('admin_portal_imports', `lane="${lane}"`, `state="${state}"`)
  const all = async () => [
    await countOf('small', 'waiting'),
    await countOf('small', 'running'),
    await countOf('large', 'waiting'),
    await countOf('large', 'running'),
  ]
  expect(await all()).toEqual([0, 0, 0, 0])
  const look = async () => {
    for (const size of [1, largeFrom - 1]) await add(size, 'PENDING')
    await add(largeFrom, 'PENDING', 'APPLYING')
    // Waits for a person.
    await add(1, 'PAUSED')
    expect(await all()).toEqual([2, 0, 0, 1])
    expect(await seriesValue('admin_portal_jobs', 'kind="import"')).toBe(3)
    await sql`delete from imports`.execute(database.owner)
  }
  // As another process that is at work in both lanes.
  const inBoth = () => unlessUnderWay(database.db, keyOf('imports large', 2), look).then((isFree) => expect(isFree).toBe(true))
  expect(await unlessUnderWay(database.owner, keyOf('imports small', 2), inBoth)).toBe(true)
})

test('the port of the portal has no metrics, and nothing where monitors look by habit', async () => {
  for (const path of ['/metrics', '/health', '/livez', '/ready', '/status', '/ping']) {
    const reply = await fetch(`${origin}${path}`)
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/problem+json; charset=utf-8',
    ])
  }
  expect((await fetch(`${origin}/employees`)).headers.get('content-type')).toMatch(/^text\/html/)
  expect((await fetch(new URL('/', metrics))).status).toBe(404)
})

test('each request is one line in the log, with the id in its answer, without its address', async () => {
  const lines: Record<string, unknown>[] = []
  const own = await createServer({ app: { logLevel: 'info', logTo: { write: (line) => void lines.push(JSON.parse(line)) } } })
  onTestFinished(() => own.close())
  const someone = await createPerson(own.db, { groups: [1] })
  const headers = await signInAs(own, someone)
  lines.length = 0
  const given = '0af7651916cd43dd8448eb211c80319c'
  const found = await fetch(`${own.origin}/api/employees?q=Sadia`, { headers: { ...headers, 'x-request-id': 'proxy-00000001' } })
  expect(found.headers.get('x-request-id')).toBe('proxy-00000001')
  const missing = await fetch(`${own.origin}/api/employees/999999`, {
    headers: { ...headers, traceparent: `00-${given}-b7ad6b7169203331-01`, 'x-request-id': 'no\tname' },
  })
  expect(await missing.json()).toMatchObject({ status: 404, request_id: given })
  const paused = await fetch(`${own.origin}/api/employees/999999`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ status: 'PAUSED', reason: 'fraud', version: 1 }),
  })
  const problem = (await paused.json()) as { request_id: string }
  expect(problem.request_id).toBe(paused.headers.get('x-request-id'))
  await expect.poll(() => lines.length).toBe(3)
  const person = someone.id
  expect(lines).toMatchObject([
    { msg: 'request', reqId: 'proxy-00000001', method: 'GET', route: '/api/employees', person, status: 200 },
    { msg: 'request', reqId: given, method: 'GET', route: '/api/employees/:id', intent: null, person, status: 404 },
    { msg: 'request', reqId: problem.request_id, method: 'PATCH', intent: 'employee.pause', person, status: 404 },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/Sadia|999999|example\.com/)
})
