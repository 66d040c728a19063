import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { configureOrganization } from '#tests/support/imports.ts'
import { waitingForLocks } from '#tests/support/locks.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

// Large files are applied to people in batches of one transaction, which yield to staff.

let server: TestServer
let admin: SignedIn
let employerId: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds, 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Batches ${++companies}`, 1)
  ;[employerId] = company.employerIds as [number]
  await configureOrganization(server.db, company.organizationId, { daily_hours_limit: 12 })
  await map('employees', 'acme_ee.csv', ['employee_code', 'first_name', 'last_name', 'status', 'rate'])
  await map('timekeepings', 'acme_tk.csv', ['employee_code', 'work_date', 'work_hours'])
})

const map = (kind: string, file_name: string, fields: string[]) =>
  good('POST', `/mappings/${kind}`, {
    employer_id: employerId,
    file_name,
    columns: fields.map((field) => ({ header: field, field })),
  })

const codeOf = (at: number): string => `N${String(at).padStart(5, '0')}`

/** Adds people up to this number. */
async function addPeople(count: number): Promise<void> {
  await sql`insert into employees (organization_id, employer_id, employee_code, first_name, last_name, status, flow, brand, rate_amount, pay_type)
    select (select organization_id from employers where id = ${employerId}), ${employerId}, 'N' || lpad(at::text, 5, '0'), 'Ann', 'Lee', 'ELIGIBLE', 'PAYROLL', 'DAYLINE', 2000, 'HOURLY'
    from generate_series((select count(*) from employees where employer_id = ${employerId}), ${count}::int - 1) at order by at`.execute(
    server.db,
  )
}

/** Uploads a file of this number of people with a rate; returns the id of its import. */
async function uploadRates(count: number, rate: number): Promise<number> {
  const lines = Array.from({ length: count }, (_, at) => `${codeOf(at)},Ann,Lee,Active,${rate}`)
  return upload('acme_ee.csv', ['employee_code,first_name,last_name,status,rate', ...lines].join('\n'))
}

async function upload(name: string, text: string): Promise<number> {
  const { status, body } = await send('POST', '/imports', {
    employer_id: employerId,
    file: { name, content: Buffer.from(text).toString('base64') },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** The current rates of the employer's people, as read by another connection. */
const rates = async (): Promise<number[]> =>
  (
    await sql<{
      rate: number
    }>`select distinct rate_amount as rate from employees where employer_id = ${employerId} order by 1`.execute(server.db)
  ).rows.map(({ rate }) => rate)

const idOf = async (at: number): Promise<{ id: number; version: number }> =>
  (
    await sql<{ id: number; version: number }>`select id, version from employees
      where employer_id = ${employerId} and employee_code = ${codeOf(at)}`.execute(server.db)
  ).rows[0] as { id: number; version: number }

const eventsOf = async (id: number): Promise<string[]> =>
  (
    await sql<{
      intent: string
    }>`select intent from audit_events where entity = 'employee' and entity_id = ${String(id)} order by id`.execute(server.db)
  ).rows.map(({ intent }) => intent)

/** Imports what is pending; returns the number of statements. */
async function statements(): Promise<number> {
  let count = 0
  const db = server.services.db.withPlugin({
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await importFiles({ ...server.services, db }, () => false)
  return count
}

test('the number of statements grows with the batches of a file, not with its lines', async () => {
  const taken: number[] = []
  for (const [round, count] of [100, 1_000, 3_200].entries()) {
    await addPeople(count)
    const id = await uploadRates(count, 30 + round)
    taken.push(await statements())
    expect(await good('GET', `/imports/${id}`)).toMatchObject({ status: 'SUCCESS', changed: count })
  }
  const [small = 0, medium = 0, large = 0] = taken
  expect(small).toBeLessThan(120)
  // The progress is written every second.
  expect(medium - small).toBeLessThan(5)
  // Three batches instead of one, and two parts of the file.
  expect(large - small).toBeLessThan(40)
})

/** Uploads a file that changes 4,600 people, with half a second per batch, and runs `meanwhile` once `id` is locked. */
async function importSlowly(id: number, meanwhile: (importId: number, imported: Promise<void>) => Promise<void>): Promise<void> {
  await sql`create function slow_down() returns trigger language plpgsql as $$begin perform pg_sleep(0.5); return null; end$$`.execute(
    server.owner,
  )
  await sql`create trigger slow_down after insert on import_people for each statement execute function slow_down()`.execute(
    server.owner,
  )
  try {
    const importId = await uploadRates(4_600, 25)
    const imported = importFiles(server.services, () => false)
    const isLocked = async () =>
      (await sql`select from employees where id = ${id} for update skip locked`.execute(server.db)).rows.length === 0
    await expect.poll(isLocked, { interval: 20 }).toBe(true)
    await meanwhile(importId, imported)
    expect(await good('GET', `/imports/${importId}`)).toMatchObject({ status: 'SUCCESS', changed: 4_600, created: 0, ended: 0 })
    expect(await rates()).toEqual([2_500])
  } finally {
    await sql`drop trigger slow_down on import_people`.execute(server.owner)
    await sql`drop function slow_down()`.execute(server.owner)
  }
}

test('staff can change an employee during a large import, which then applies as a whole', async () => {
  await addPeople(4_600)
  const first = await idOf(0)
  await importSlowly(first.id, async (importId, imported) => {
    const paused = await send('PATCH', `/employees/${first.id}`, {
      status: 'PAUSED',
      reason: 'Lost phone',
      version: first.version,
    })
    expect(paused.status, JSON.stringify(paused.body)).toBe(200)
    expect((await good('GET', `/imports/${importId}`)).status).toBe('PENDING')
    expect(await rates()).toEqual([2_000])
    await imported
  })
  expect(await good('GET', `/employees/${first.id}`)).toMatchObject({ status: 'PAUSED', version: first.version + 2 })
  expect(await eventsOf(first.id)).toEqual(['employee.pause', 'import.apply-file'])
})

test('an employee who is changed all the time delays only the last batch', async () => {
  await addPeople(4_600)
  const first = await idOf(0)
  let changes = 0
  await importSlowly(first.id, async (_, imported) => {
    let isOver = false
    const over = imported.finally(() => {
      isOver = true
    })
    for (; !isOver; changes += 1) await sql`update employees set version = version + 1 where id = ${first.id}`.execute(server.db)
    await over
  })
  expect((await idOf(0)).version).toBe(first.version + changes + 1)
})

test('a transaction that holds people of a later batch can also get those of an earlier one', async () => {
  await addPeople(3_200)
  const [early, late] = [await idOf(0), await idOf(3_100)]
  const change = sql`update employees set first_name = 'Bo', version = version + 1`
  const id = await uploadRates(3_200, 25)
  const imported = await server.db.transaction().execute(async (tx) => {
    await sql`${change} where id = ${late.id}`.execute(tx)
    const running = importFiles(server.services, () => false)
    await expect.poll(() => waitingForLocks(server), { interval: 5 }).toBe(1)
    await sql`${change} where id = ${early.id}`.execute(tx)
    return [running]
  })
  await Promise.all(imported)
  expect(await good('GET', `/imports/${id}`)).toMatchObject({ status: 'SUCCESS', changed: 3_200 })
  expect(await rates()).toEqual([2_500])
  expect((await idOf(0)).version).toBe(early.version + 2)
})

test('hours of several batches are imported once, and a later file corrects days of each', async () => {
  const people = 400
  await addPeople(people)
  const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const fileOf = (hours: (at: number) => number): string =>
    [
      'employee_code,work_date,work_hours',
      ...Array.from({ length: 30 }, (_, day) =>
        Array.from({ length: people }, (_, at) => `${codeOf(at)},${dayBefore(day + 3)},${day === 0 ? hours(at) : 8}`),
      ).flat(),
    ].join('\n')
  const imported = async (text: string) => {
    const id = await upload('acme_tk.csv', text)
    await importFiles(server.services, () => false)
    return good('GET', `/imports/${id}`)
  }
  expect(await imported(fileOf(() => 8))).toMatchObject({ status: 'SUCCESS', created: 12_000, changed: 0, rejected: 0 })
  // Everybody has different hours on the last day, and every second person more than is auto-approved.
  expect(await imported(fileOf((at) => (at % 2 ? 14 : 7)))).toMatchObject({ status: 'SUCCESS', created: people, changed: people })
  const { rows } = await sql`select status, minutes, count(*)::int as count, sum(earned_amount)::int as cents from time_entries
    where employer_id = ${employerId} group by 1, 2 order by 1, 2`.execute(server.db)
  expect(rows).toEqual([
    { status: 'AUTO', minutes: 420, count: 200, cents: 200 * 7 * 2_000 },
    { status: 'AUTO', minutes: 480, count: 11_600, cents: 11_600 * 8 * 2_000 },
    { status: 'PENDING', minutes: 840, count: 200, cents: 200 * 14 * 2_000 },
    { status: 'REJECTED', minutes: 480, count: 400, cents: 400 * 8 * 2_000 },
  ])
})
