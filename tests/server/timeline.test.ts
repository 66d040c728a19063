import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTimeline, type TimelineEntry } from '#contract/timeline.ts'
import { permissionIds } from '#domain/permissions.ts'
import { type TimelineKind, timelineKinds } from '#domain/timeline.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Position } from '#server/paging/keyset.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { keyOf, type RowKey } from '#server/tables/rows.ts'
import { pageOfTimeline } from '#server/tables/timeline.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let here: number
let before: number
/** Moved to `here` from `before`, linked to a user; with one or more entries of each kind. */
let mia: { id: number; userId: number }
/** Her colleague, whose entries must never be among hers. */
let omar: number
/** The ids of her entries, newest first. */
let entryIds: string[]

/** Midnight of 3 February 2026 in the business time zone, shared by a balance, an invoice and timed entries. */
const midnight = '2026-02-03T05:00:00Z'

const event = async (of: { entity: string; id: number }, at: string, status: string, more: Record<string, unknown> = {}) => {
  const { rows } = await sql<{ id: number }>`
    insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, category, status, text, before, after, version)
    values (${at}, 'x', 'Tom Berg', 'x', ${of.entity}, ${String(of.id)}, ${more['category'] ?? 'user'}, ${status},
      ${more['text'] ?? null}, ${JSON.stringify(more['before'] ?? {})}, ${JSON.stringify(more['after'] ?? {})}, 1)
    returning id`.execute(server.db)
  return `EVENT-${rows[0]?.id}`
}
const note = async (employeeId: number, at: string, text: string) => {
  const { rows } = await sql<{ id: number }>`
    insert into notes (entity_type, entity_id, text, user_id, user_name, created_at)
    values ('employee', ${String(employeeId)}, ${text}, 'x', 'Tom Berg', ${at}) returning id`.execute(server.db)
  return `NOTE-${rows[0]?.id}`
}
const transaction = async (of: { id: number; balance: number }, at: string) => {
  await sql`insert into monthly_partitions values ('transactions', ${`${at.slice(0, 7)}-01`}) on conflict do nothing`.execute(
    server.db,
  )
  const input = { employeeId: of.id, balanceId: of.balance, status: 'COMPLETE' as const, amount: 40_00, at: new Date(at) }
  return `TRANSACTION-${await createTransaction(server.db, input)}`
}

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  ;[before, here] = (await createCompany(db, 'Harbor', 2)).employerIds as [number, number]
  const made = await createEmployee(db, { employerId: here, linked: {} })
  mia = { id: made.id, userId: made.userId as number }
  omar = (await createEmployee(db, { employerId: here, firstName: 'Omar', linked: {} })).id
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))

  const open = await createBalance(db, mia.id, { available: 500_00, start: '2026-02-03', end: '2026-02-16' })
  const over = await createBalance(db, mia.id, { available: 0, start: '2026-01-20', end: '2026-02-02', open: false })
  const invoiceOf = async (employerId: number, reportDate: string) => {
    const { lineIds } = await createInvoice(db, {
      employerId,
      reportDate,
      lines: [
        { employeeId: mia.id, amount: 30_00 },
        { employeeId: omar, amount: 777_77 },
      ],
    })
    return `INVOICE-${lineIds[0]}`
  }
  const onMia = { entity: 'employee', id: mia.id }
  entryIds = [
    await event(onMia, '2026-02-05T10:00:00.000002Z', 'Paused', { text: 'Leave' }),
    // The same millisecond, and another microsecond.
    await event({ entity: 'user', id: mia.userId }, '2026-02-05T10:00:00.000001Z', 'DEACTIVATE', { category: 'card' }),
    await transaction({ id: mia.id, balance: open }, '2026-02-04T12:00:00Z'),
    await note(mia.id, midnight, 'Called back'),
    await invoiceOf(here, '2026-02-03'),
    `BALANCE-${open}`,
    await transaction({ id: mia.id, balance: over }, midnight),
    await event(onMia, midnight, 'Balance adjusted', {
      text: 'Hours were missing',
      before: { work_period_balance_id: over, earned_amount: 1 },
      after: { work_period_balance_id: over, earned_amount: 123_45 },
    }),
    await transaction({ id: mia.id, balance: over }, '2026-01-28T12:00:00Z'),
    await invoiceOf(before, '2026-01-22'),
    `BALANCE-${over}`,
    await event(onMia, '2025-12-24T12:00:00Z', 'Off-cycle paid', {
      text: 'By cheque',
      before: { status: 'ACTIVE' },
      after: { status: 'OFFCYCLE_PAID' },
    }),
  ]
  // Belonging to others, or shown as part of something else.
  await event({ entity: 'employee', id: omar }, midnight, 'Paused')
  await event(onMia, midnight, 'Note added', { text: 'Called back' })
  await note(omar, midnight, 'Not about her')
  await transaction({ id: omar, balance: await createBalance(db, omar, { available: 1_00 }) }, midnight)
  await sql`insert into notes (entity_type, entity_id, text, user_id, user_name) values ('invoice', ${String(mia.id)}, 'Of an invoice', 'x', 'X')`.execute(
    db,
  )
})
afterAll(() => server.close())

const get = (query = '', headers = admin, id = mia.id) => call(server, 'GET', `/employees/${id}/timeline${query}`, { headers })
const idsOf = async (query = '', headers = admin): Promise<string[]> => {
  const { status, body } = await get(query, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.entries.map((entry: TimelineEntry) => entry.id)
}
const countOf = async (query = '', headers = admin): Promise<number> => (await get(`/count${query}`, headers)).body.count
const of = (...kinds: TimelineKind[]) => entryIds.filter((id) => kinds.some((kind) => id.startsWith(kind)))

/** The ids of every page, in order. */
async function walk(query: string, headers = admin): Promise<string[]> {
  const ids: string[] = []
  for (let lek: string | null = ''; lek !== null; ) {
    const { status, body } = await get(`?${query}${lek && `&lek=${encodeURIComponent(lek)}`}`, headers)
    expect(status, JSON.stringify(body)).toBe(200)
    const page = body.entries.map((entry: TimelineEntry) => entry.id)
    ids.push(...(query.includes('before') ? page.reverse() : page))
    lek = body.lek
  }
  return ids
}

/** Signs in an account manager of these employers, with every right. */
const manager = async (...employers: number[]) =>
  signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: permissionIds,
      grants: employers.map((employerId) => ({ employerId })),
    }),
  )

test('[SCR-044] merges events, transactions, balances, invoices and notes as in their lists, newest first', async () => {
  const { body } = await get()
  expect(body.entries.map((entry: TimelineEntry) => entry.id)).toEqual(entryIds)
  expect(body.lek).toBeNull()
  expect(await countOf()).toBe(entryIds.length)
  const of = (kind: string) => body.entries.find((entry: TimelineEntry) => entry.kind === kind)
  expect(of('EVENT')).toMatchObject({
    at: '2026-02-05T10:00:00.000Z',
    event: { status: 'Paused', text: 'Leave', actor: { name: 'Tom Berg' } },
  })
  expect(of('TRANSACTION')).toMatchObject({ transaction: { amount: 40_00, status: 'COMPLETE', period_start: '2026-02-03' } })
  expect(of('BALANCE')).toMatchObject({ at: '2026-02-03T05:00:00.000Z', balance: { limit_amount: 500_00, is_open: true } })
  expect(of('INVOICE')).toMatchObject({ invoice: { number: expect.stringMatching(/^INV-/), line: { original_amount: 30_00 } } })
  expect(of('NOTE')).toMatchObject({ note: { text: 'Called back', entity_type: 'employee', own: false } })
  expect(JSON.stringify(body)).not.toMatch(/77777|Omar|Not about her|Of an invoice/)
})

test.each([1, 2, 3, 5, 11])('pages of %i have every entry exactly once, in either direction', async (limit) => {
  expect(await walk(`limit=${limit}`)).toEqual(entryIds)
  expect(await walk(`limit=${limit}&direction=before`)).toEqual([...entryIds].reverse())
})

test('the event of adding a note stays after the note is deleted', async () => {
  const { id } = await createEmployee(server.db, { employerId: here, code: 'NOTED' })
  const text = 'Will call back'
  const at = '2026-02-21T12:00:00Z'
  await sql`insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, category, status, text, version)
    values (${at}, 'x', 'X', 'note.add', 'employee', ${String(id)}, 'user', 'Note added', ${text}, 1)`.execute(server.db)
  const { rows } = await sql<{ id: number }>`insert into notes (entity_type, entity_id, text, user_id, user_name, created_at)
    values ('employee', ${String(id)}, ${text}, 'x', 'X', ${at}) returning id`.execute(server.db)
  const kinds = async () => {
    const { body } = await get('?limit=100', admin, id)
    return body.entries
      .filter((entry: { event?: { text: string }; note?: { text: string } }) => (entry.event ?? entry.note)?.text === text)
      .map(({ kind }: { kind: string }) => kind)
  }
  expect(await kinds()).toEqual(['NOTE'])
  await sql`delete from notes where id = ${rows[0]?.id}`.execute(server.db)
  expect(await kinds()).toEqual(['EVENT'])
})

test('a note added while paging does not shift later pages', async () => {
  const { body } = await get('?limit=4')
  const added = await note(mia.id, '2026-02-20T12:00:00Z', 'Now')
  const rest = await get(`?limit=50&lek=${encodeURIComponent(body.lek)}`)
  await sql`delete from notes where id = ${added.slice(5)}`.execute(server.db)
  expect(rest.body.entries.map((entry: TimelineEntry) => entry.id)).toEqual(entryIds.slice(4))
})

test('[ENUM-024] [ENUM-025] is filtered by kind, event, category and day, and counted by the same', async () => {
  const cases: [string, string[]][] = [
    ...timelineKinds.map((kind): [string, string[]] => [`?kind=${kind}`, of(kind)]),
    ['?kind=NOTE,INVOICE', of('NOTE', 'INVOICE')],
    ['?kind-not=EVENT,TRANSACTION', of('BALANCE', 'INVOICE', 'NOTE')],
    ['?status=Paused', entryIds.slice(0, 1)],
    ['?status-not=Paused', entryIds.slice(1)],
    ['?category=card', entryIds.slice(1, 2)],
    ['?category-not=card', entryIds.filter((_, at) => at !== 1)],
    ['?category=card&kind=NOTE', []],
    // The days of the business time zone: an event at midnight belongs to the day that starts then.
    ['?date-from=2026-02-03&date-to=2026-02-04', entryIds.slice(2, 8)],
    ['?date-from=2020-01-01&date-to=2026-01-22', entryIds.slice(9)],
    ['?date-from=2026-02-03&date-to=2026-02-04&kind=TRANSACTION', [entryIds[2], entryIds[6]] as string[]],
  ]
  for (const [query, expected] of cases) {
    expect([query, await idsOf(query)]).toEqual([query, expected])
    expect([query, await countOf(query)]).toEqual([query, expected.length])
    expect([query, await walk(`${query.slice(1)}&limit=2`)]).toEqual([query, expected])
  }
  const [fourth, third] = await Promise.all(['2026-02-04', '2026-02-03'].map((day) => idsOf(`?date-on=${day}`)))
  expect([fourth, third]).not.toContainEqual([])
  expect([fourth, third].flat()).toEqual(entryIds.slice(2, 8))
  expect((await get('?kind=WAGES')).status).toBe(422)
  expect((await get('?status=Note added')).status).toBe(422)
})

test.each([
  ['read:transactions', 7, ['TRANSACTION']],
  ['read:work-period-balances', 15, ['BALANCE']],
  ['read:billing', 1, ['INVOICE']],
  ['any right to them', [1, 7, 15, 17], ['TRANSACTION', 'BALANCE', 'INVOICE']],
] as const)('without %s its entries are absent, in pages, filters, counts and cursors', async (_, lost, absent) => {
  const without = [lost].flat() as number[]
  const person = await createPerson(server.db, { permissions: permissionIds.filter((id) => !without.includes(id)) })
  const headers = await signInAs(server, person)
  const open = entryIds.filter((id) => !absent.some((kind) => id.startsWith(kind)))
  expect(await idsOf('', headers)).toEqual(open)
  expect(await walk('limit=1', headers)).toEqual(open)
  expect(await countOf('', headers)).toBe(open.length)
  for (const kind of absent) {
    expect([await idsOf(`?kind=${kind}`, headers), await countOf(`?kind=${kind}`, headers)]).toEqual([[], 0])
    expect(await idsOf(`?kind-not=${kind}`, headers)).toEqual(open)
  }
  // A cursor of somebody with more rights reveals nothing here.
  const { body } = await get('?limit=3')
  expect((await get(`?limit=3&lek=${encodeURIComponent(body.lek)}`, headers)).status).toBe(400)
})

test('masked values of an employee are masked in events as in their own list', async () => {
  const blind = async (lost: number) =>
    signInAs(server, await createPerson(server.db, { permissions: permissionIds.filter((id) => id !== lost) }))
  const noBalances = JSON.stringify((await get('?kind=EVENT', await blind(15))).body)
  expect(noBalances).toContain('Balance adjusted')
  expect(noBalances).not.toMatch(/12345|Hours were missing|earned_amount/)
  const noOffCycle = await blind(17)
  const all = JSON.stringify((await get('', noOffCycle)).body)
  expect(all).toContain('Restricted')
  expect(all).not.toMatch(/off-?cycle|cheque/i)
  for (const query of ['?status=Off-cycle paid', '?status-not=Paused&kind=EVENT']) {
    expect((await idsOf(query, noOffCycle)).includes(entryIds.at(-1) as string)).toBe(false)
    expect(await countOf(query, noOffCycle)).toBe((await idsOf(query, noOffCycle)).length)
  }
})

test('[PERM-003] an account manager needs a grant, and sees no invoice of an inaccessible employer', async () => {
  const granted = await manager(here)
  const open = entryIds.filter((id) => id !== of('INVOICE')[1])
  expect(await idsOf('', granted)).toEqual(open)
  expect(await walk('limit=2', granted)).toEqual(open)
  expect([await countOf('', granted), await countOf('?kind=INVOICE', granted)]).toEqual([open.length, 1])
  for (const stranger of [await manager(), await manager(before)])
    for (const path of ['', '/count', '?kind=NOTE']) expect([path, (await get(path, stranger)).status]).toEqual([path, 404])
  const unable = await signInAs(server, await createPerson(server.db, { permissions: permissionIds.filter((id) => id !== 2) }))
  expect([(await get('', unable)).status, (await get('/count', unable)).status]).toEqual([403, 403])
})

test('with 5,000 entries of a person page 100 reads as much as page 1', async () => {
  const { id } = await createEmployee(server.db, { employerId: here, linked: {} })
  const balance = await createBalance(server.db, id, { available: 0, start: '2016-01-04', end: '2016-01-10', open: false })
  const n = (count: number) => sql`generate_series(1, ${count}::int) n`
  await sql`insert into monthly_partitions (parent, month)
    select 'transactions', generate_series(date '2025-01-01', date '2026-06-01', '1 month')::date on conflict do nothing`.execute(
    server.db,
  )
  await sql`insert into transactions (employee_id, work_period_balance_id, status, provider, amount, fee_amount, requested_at, settled_at)
    select ${id}, ${balance}, 'FAIL', 'NORTHRAIL', 2000, 0, timestamptz '2026-06-01' - n * interval '5 hours', now() from ${n(2_400)}`.execute(
    server.db,
  )
  await sql`insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, status, version)
    select timestamptz '2026-06-01' - n * interval '6 hours', 'x', 'X', 'x', 'employee', ${String(id)}, 'Paused', 1 from ${n(2_000)}`.execute(
    server.db,
  )
  await sql`insert into notes (entity_type, entity_id, text, user_id, user_name, created_at)
    select 'employee', ${String(id)}, 'Note ' || n, 'x', 'X', timestamptz '2026-06-01' - n * interval '30 hours' from ${n(399)}`.execute(
    server.db,
  )
  await sql`insert into work_period_balances (employee_id, work_period_start, work_period_end, is_open, earned_amount, limit_amount)
    select ${id}, date '2026-06-01' - n * 7, date '2026-06-01' - n * 7 + 6, false, 0, 0 from ${n(200)}`.execute(server.db)
  for (const table of ['transactions', 'audit_events', 'notes', 'work_period_balances', 'invoice_lines', 'invoices'])
    await sql`analyze ${sql.table(table)}`.execute(server.owner)

  const seen: CompiledQuery[] = []
  const logged = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: server.pool }),
    log: ({ query }) => void seen.push(query as CompiledQuery),
  })
  const actor = { kind: 'ADMIN', id: '00000000-0000-4000-8000-000000000001', held: new Set(permissionIds) } as unknown as Actor
  const query = listTimeline.query.parse({ limit: '50' })
  const { organization_id } = (await keyOf(logged as unknown as Tx, 'employees', id)) as RowKey
  const asking = { tx: logged as unknown as Tx, actor, employee: { id, organization_id, user_id: null } }
  const blocks: number[] = []
  const ids = new Set<string>()
  let place: Position | null = null
  for (let page = 1; page <= 100; page += 1) {
    seen.length = 0
    const { rows: entries, next } = await pageOfTimeline(asking, query, place)
    for (const entry of entries) ids.add(entry.id)
    place = next
    if (page !== 1 && page !== 100) continue
    let read = 0
    for (const { sql: text, parameters } of seen) {
      const { rows } = await server.pool.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])
      const { Plan: plan } = rows[0]['QUERY PLAN'][0]
      read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    blocks.push(read)
  }
  expect([ids.size, place]).toEqual([5_000, null])
  const [first = 0, hundredth = 0] = blocks
  expect(hundredth / first, String(blocks)).toBeLessThanOrEqual(1.2)
})

test('[PERM-003] entries from an earlier employer, with actor, need access to that employer', async () => {
  const addEvent = async (entity: string, id: number) => {
    const made = await event({ entity, id }, '2026-02-01T12:00:00Z', 'DEACTIVATE', { text: 'Elsewhere' })
    await sql`update audit_events set belongs_to = ${`employer:${before}`} where id = ${made.replace('EVENT-', '')}`.execute(
      server.owner,
    )
    return made
  }
  const made = [await addEvent('employee', mia.id), await addEvent('user', mia.userId)]
  const countsFor = async (headers: Headers) => {
    const paths = [`/employees/${mia.id}/timeline?limit=200`, `/employees/${mia.id}/events`, `/users/${mia.userId}/events`]
    const texts = await Promise.all(
      paths.map(async (path) => JSON.stringify((await call(server, 'GET', path, { headers })).body)),
    )
    return texts.map((text) => text.split('Elsewhere').length - 1)
  }
  expect(made.length).toBe(2)
  expect(await countsFor(admin)).toEqual([2, 2, 1])
  expect(await countsFor(await manager(here, before))).toEqual([2, 2, 1])
  expect(await countsFor(await manager(here))).toEqual([0, 0, 0])
})
