import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { configureOrganization } from '#tests/support/imports.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

// Several batches, of lines that are staged and of people that are written.
const people = 3_100
let database: TestDatabase
let server: ServerProcess
let origin: string
let headers: Headers
let employerId: number

const start = async () => {
  server = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'error' })
  origin = await server.ready
}
beforeAll(async () => {
  database = await createDatabase()
  // A statement in progress has to last until the process is killed, and longer than the polling for its leftovers.
  await sql`create table lingering (name text)`.execute(database.owner)
  await sql`create function linger() returns trigger language plpgsql security definer as
    $$begin if tg_table_name || ' ' || lower(tg_op) in (select name from public.lingering) then perform pg_sleep(300); end if; return null; end$$`.execute(
    database.owner,
  )
  await start()
  headers = await signInAs({ origin, db: database.db }, await createPerson(database.db, { groups: [1] }))
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  await database?.drop()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await fetch(`${origin}/api${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true)
  return reply.json()
}
const fileOf = (rate: number) =>
  ['Code,Name,Status,Rate', ...Array.from({ length: people }, (_, at) => `N${at},Ann Lee,Active,${rate}`), ''].join('\r\n')
const upload = async (rate: number): Promise<{ id: number; status: string }> => {
  const file = { name: 'acme_ee.csv', content: Buffer.from(fileOf(rate)).toString('base64') }
  return (await ask('POST', '/imports', { employer_id: employerId, file })) as { id: number; status: string }
}
const importOf = (id: number) => ask('GET', `/imports/${id}`) as Promise<{ status: string }>
/** The number of people by rate. */
const staff = async () =>
  (
    await sql<{ rate: number; count: number }>`select rate_amount as rate, count(*)::int as count from employees
      where employer_id = ${employerId} group by 1 order by 1`.execute(database.db)
  ).rows.map(({ rate, count }) => `${count} at ${rate}`)
const events = async (id: number) =>
  (
    await sql<{ count: number }>`select count(*)::int as count from audit_events where text = ${`Import ${id}`}`.execute(
      database.db,
    )
  ).rows[0]?.count

/** An employer with a mapping of employee files and no people. */
async function createEmployer(rate: number): Promise<void> {
  const { employerIds, organizationId } = await createCompany(database.db, `Harbor ${rate}`)
  employerId = employerIds[0] as number
  await configureOrganization(database.db, organizationId)
  const columns = [
    { header: 'Code', field: 'employee_code' },
    { header: 'Name', field: 'full_name' },
    { header: 'Status', field: 'status' },
    { header: 'Rate', field: 'rate' },
  ]
  await database.db
    .insertInto('mappings')
    .values({
      kind: 'EMPLOYEE',
      employer_id: employerId,
      file_name: 'acme_ee.csv',
      file_key: 'acme',
      vendor: null,
      columns: JSON.stringify(columns),
    })
    .execute()
}

/** The number of running import statements, by how they start. */
const runningStatements = async (statement: string) =>
  (
    await sql`select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
      and query like ${statement}`.execute(database.db)
  ).rows.length

/** Kills the server while a statement of the import is running, by how it starts. */
async function killDuring(statement: string, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  await expect.poll(() => runningStatements(statement), { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
  server.child.kill(signal)
  const ended = await server.ended
  if (signal === 'SIGKILL') expect(ended.signal).toBe('SIGKILL')
  await sql`delete from lingering`.execute(database.owner)
}

test.each([
  {
    moment: 'its lines are read',
    table: 'staged_lines',
    change: 'insert',
    statement: '%insert into staged_lines (line, by%',
    rate: 18,
  },
  { moment: 'people are added', table: 'employees', change: 'insert', statement: '%insert into employees as e%', rate: 19 },
  {
    moment: 'people are changed',
    table: 'employees',
    change: 'update',
    statement: '%with before as materialized (select e.* from employees%',
    rate: 20,
  },
] as const)(
  'killed while $moment: nothing half done, imported after the restart, and only once',
  async ({ table, change, statement, rate }) => {
    await createEmployer(rate)
    if (change === 'update') {
      const first = await upload(rate - 1)
      await expect.poll(async () => (await importOf(first.id)).status, { timeout: 60_000 }).toBe('SUCCESS')
    }
    const before = await staff()
    await sql
      .raw(`create trigger linger_${change} after ${change} on ${table} for each statement execute function linger()`)
      .execute(database.owner)
    await sql`insert into lingering values (${`${table} ${change}`})`.execute(database.owner)
    const { id } = await upload(rate)
    await killDuring(statement)
    expect(await staff()).toEqual(before)
    expect(await events(id)).toBe(0)
    await start()
    expect(['PENDING', 'SUCCESS']).toContain((await importOf(id)).status)
    await expect.poll(async () => (await importOf(id)).status, { timeout: 60_000 }).toBe('SUCCESS')
    const what = change === 'update' ? { created: 0, changed: people } : { created: people, changed: 0 }
    expect(await importOf(id)).toMatchObject({ lines: people, accepted: people, rejected: 0, ...what })
    expect(await staff()).toEqual([`${people} at ${rate * 100}`])
    expect(await events(id)).toBe(people)
    const again = await upload(rate)
    expect((await importOf(again.id)).status).toBe('DUPLICATED')
    expect(await events(again.id)).toBe(0)
  },
  120_000,
)

test('a file whose import crashed the server three times fails; a stop does not count', async () => {
  await createEmployer(21)
  await sql`create or replace trigger linger_insert after insert on staged_lines for each statement execute function linger()`.execute(
    database.owner,
  )
  const blockInsert = () => sql`insert into lingering values ('staged_lines insert')`.execute(database.owner)
  await blockInsert()
  const { id } = await upload(21)
  const reading = '%insert into staged_lines (line, by%'
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGKILL'] as const) {
    await killDuring(reading, signal)
    // Otherwise the next process would be ended for the statement of this one.
    await expect.poll(() => runningStatements(reading)).toBe(0)
    await blockInsert()
    expect((await sql<{ status: string }>`select status from imports where id = ${id}`.execute(database.db)).rows).toEqual([
      { status: 'PENDING' },
    ])
    await start()
  }
  await expect
    .poll(() => importOf(id))
    .toMatchObject({
      status: 'FAIL',
      message:
        'The server stopped three times while it imported this file, so it is not started again. Nothing was changed. Check the file, or send it in parts.',
    })
  expect(await staff()).toEqual([])
  // The next file is imported.
  await sql`delete from lingering`.execute(database.owner)
  const next = await upload(22)
  await expect.poll(async () => (await importOf(next.id)).status, { timeout: 60_000 }).toBe('SUCCESS')
}, 180_000)
