import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceStatuses } from '#domain/invoice.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { writeExport } from '#server/jobs/write-export.ts'
import { createCompany } from '#tests/support/company.ts'
import { createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const total = 4_400
let server: TestServer
let admin: Headers
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, '=Harbor', 4)).employerIds
  await sql`
    insert into invoices (employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
      issue_date, report_date, due_date, original_amount, paid_amount)
    select (${employers}::bigint[])[1 + n % 4], 'EMPLOYER', 1, (${[...invoiceStatuses.values]}::text[])[1 + n % 11], '@CO-' || n, 'SELF_PAY',
      '2026-01-01', '2026-01-15', '2026-01-20', '2026-01-25', date '2026-02-01' + n % 50, 10000 + n, n % 2 * 20000
    from generate_series(1, ${total}) n`.execute(server.owner)
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())

const start = (body: unknown, headers = admin) => call(server, 'POST', '/exports', { headers, body })
const get = async (id: string, headers = admin) => (await call(server, 'GET', `/exports/${id}`, { headers })).body
async function fileOf(id: string, headers = admin) {
  const answer = await fetch(`${server.origin}/api/exports/${id}/file`, { headers })
  return { answer, rows: (await answer.text()).trimEnd().split('\r\n') }
}
/** An export that has ended. */
async function waitForExport(id: string) {
  for (let tries = 0; tries < 300; tries += 1) {
    const now = await get(id)
    if (now.state === 'done' || now.state === 'failed') return now
    await sleep(50)
  }
  throw new Error('The export did not end.')
}
const write = (id: string) => writeExport(server.services, id, () => false)

test('[SCR-051] all rows of a filter are written in the background, in the order of the list', async () => {
  const stop = await startWorker(server.services)
  try {
    const made = await start({
      kind: 'invoices',
      filter: { 'status-not': 'DRAFT', sort: 'due_date', 'sort-order': 'desc', limit: '5' },
    })
    expect(made.body).toMatchObject({ kind: 'invoices', state: 'waiting', total: null, done: 0, message: null })
    const now = await waitForExport(made.body.id)
    expect(now).toMatchObject({ state: 'done', total: 4_000, done: 4_000 })
    const { answer, rows } = await fileOf(made.body.id)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="invoices-\d{4}-\d\d-\d\d\.csv"$/)
    expect(rows[0]).toMatch(/^\ufeff?Invoice,Status,/)
    expect(rows).toHaveLength(4_001)
    const dues = rows.slice(1).map((row) => row.split(',')[8] as string)
    expect(dues).toEqual([...dues].sort().reverse())
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(4_001)
    const page = await call(server, 'GET', '/invoices?limit=1&status-not=DRAFT&sort=due_date&sort-order=desc', { headers: admin })
    const [first] = page.body.data
    const amounts = [first.original_amount, first.invoice_amount, first.paid_amount].map((cents: number) =>
      (cents / 100).toFixed(2),
    )
    expect(rows[1]).toContain(`${first.number},`)
    expect(rows[1]).toContain(amounts.join(','))
    expect(rows[1]).toContain(`,'=Harbor,'=Harbor Works`)
    expect(rows[1]).toContain(`,'@CO-`)
    expect((await call(server, 'GET', '/exports', { headers: admin })).body.exports[0]).toEqual(now)
  } finally {
    await stop()
  }
})

test('[SCR-051] an interrupted export is written again, with no row twice', async () => {
  const { body } = await start({ kind: 'invoices', filter: {} })
  let asked = 0
  await writeExport(server.services, body.id, () => {
    asked += 1
    return asked > 2
  })
  const half = await get(body.id)
  expect(half).toMatchObject({ state: 'running', total, done: 2_000 })
  expect((await fileOf(body.id)).answer.status).toBe(409)
  await sql`update invoices set paid_amount = 1 where id = (select min(id) from invoices)`.execute(server.owner)
  // The next process takes over what the last one left, and what is queued behind it.
  const behind = await start({ kind: 'invoices', filter: { status: 'SENT' } })
  const stop = await startWorker(server.services)
  try {
    expect(await waitForExport(body.id)).toMatchObject({ state: 'done', total, done: total })
    expect(await waitForExport(behind.body.id)).toMatchObject({ state: 'done', done: 400 })
  } finally {
    await stop()
  }
  const { rows } = await fileOf(body.id)
  expect(rows).toHaveLength(total + 1)
  expect(new Set(rows).size).toBe(total + 1)
})

test('[SCR-051] two concurrent processes write one file, which is a consistent snapshot', async () => {
  const { body } = await start({ kind: 'invoices', filter: { sort: 'outstanding_amount' } })
  const moving = (async () => {
    for (let n = 0; n < 20; n += 1)
      await sql`update invoices set paid_amount = 30000 - paid_amount where id % 20 = ${n}`.execute(server.owner)
  })()
  await Promise.all([write(body.id), write(body.id), moving])
  const { rows } = await fileOf(body.id)
  expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(total + 1)
  expect(rows).toHaveLength(total + 1)
})

test('[PERM-003] an export has the rows granted when it is written, and only its owner reads it', async () => {
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [1],
    grants: [{ employerId: employers[0] as number }, { employerId: employers[1] as number }],
  })
  const headers = await signInAs(server, person)
  const { body } = await start({ kind: 'invoices', filter: {} }, headers)
  await sql`delete from access_grants where person_id = ${person.id} and employer_id = ${employers[0]}`.execute(server.db)
  await write(body.id)
  expect(await get(body.id, headers)).toMatchObject({ state: 'done', done: total / 4 })
  expect((await fileOf(body.id, headers)).rows).toHaveLength(total / 4 + 1)
  for (const path of [`/exports/${body.id}`, `/exports/${body.id}/file`])
    expect((await call(server, 'GET', path, { headers: admin })).status).toBe(404)
  expect((await call(server, 'GET', '/exports', { headers: admin })).body.exports).not.toContainEqual(
    expect.objectContaining({ id: body.id }),
  )
  const empty = await signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1] }))
  const nothing = await start({ kind: 'invoices', filter: {} }, empty)
  await write(nothing.body.id)
  expect(await get(nothing.body.id, empty)).toMatchObject({ state: 'done', total: 0, done: 0 })
  await sql`delete from person_permissions where person_id = ${person.id}`.execute(server.db)
  expect((await fileOf(body.id, headers)).answer.status).toBe(403)
  expect((await call(server, 'GET', `/exports/${body.id}`, { headers })).status).toBe(403)
  expect((await call(server, 'GET', '/exports', { headers })).body.exports).toEqual([])
})

test('[PERM-003] a file is withheld if access to some of its rows is lost, otherwise it is served', async () => {
  const [first, second] = employers as [number, number]
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [1],
    grants: [{ employerId: first }, { employerId: second }],
  })
  const headers = await signInAs(server, person)
  const made = async (filter: object, key?: string) => {
    const all = key ? { ...headers, 'idempotency-key': key } : headers
    return (await call(server, 'POST', '/exports', { headers: all, body: { kind: 'invoices', filter } })).body.id
  }
  const both = await made({}, 'both')
  const own = await made({ 'employer-id': String(first) })
  await Promise.all([write(both), write(own)])
  expect((await fileOf(both, headers)).answer.status).toBe(200)
  await sql`delete from access_grants where person_id = ${person.id} and employer_id = ${second}`.execute(server.db)
  const { answer, rows } = await fileOf(both, headers)
  expect([answer.status, JSON.parse(rows.join('')).detail]).toEqual([
    403,
    'You no longer have access to everything in this file. Export the list again.',
  ])
  expect(await get(both, headers)).toMatchObject({ state: 'failed' })
  expect((await fileOf(own, headers)).rows).toHaveLength(total / 4 + 1)
  const { exports } = (await call(server, 'GET', '/exports', { headers })).body
  expect(exports.map(({ id, state }: { id: string; state: string }) => [id, state]).sort()).toEqual(
    [
      [both, 'failed'],
      [own, 'done'],
    ].sort(),
  )
  await sql`delete from person_permissions where person_id = ${person.id}`.execute(server.db)
  const again = { headers: { ...headers, 'idempotency-key': 'both' }, body: { kind: 'invoices', filter: {} } }
  expect((await call(server, 'POST', '/exports', again)).status).toBe(403)
})

test('[PERM-003] a file of the audit names an account manager only while they share a company', async () => {
  const [first, second] = employers as [number, number]
  const colleague = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    name: 'Col League',
    grants: [{ employerId: second }],
  })
  const asker = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [1, 3, 1019],
    grants: [{ employerId: first }, { employerId: second }],
  })
  await sql`insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, status, before, after, version)
    values (now(), 'x', 'X', 'account-manager.edit', 'account-manager', ${colleague.id}, 'Edited', '{"name": "A"}', '{"name": "B"}', 2)`.execute(
    server.owner,
  )
  const headers = await signInAs(server, asker)
  const filter = { kind: 'account-manager', record: colleague.id }
  const { id } = (await call(server, 'POST', '/exports', { headers, body: { kind: 'audit-events', filter } })).body
  await write(id)
  expect((await fileOf(id, headers)).rows.join('\n')).toContain('Col League')
  await sql`delete from access_grants where person_id = ${asker.id} and employer_id = ${second}`.execute(server.db)
  expect((await fileOf(id, headers)).answer.status).toBe(403)
})

test('[PERM-037] losing rights or the session before it is written makes it fail', async () => {
  const person = await createPerson(server.db, { permissions: [1] })
  const headers = await signInAs(server, person)
  const first = await start({ kind: 'invoices', filter: {} }, headers)
  const second = await start({ kind: 'invoices', filter: {} }, headers)
  await sql`delete from person_permissions where person_id = ${person.id}`.execute(server.db)
  await write(first.body.id)
  expect(await get(first.body.id, headers)).toMatchObject({ status: 403 })
  await server.db.insertInto('person_permissions').values({ person_id: person.id, permission_id: 1 }).execute()
  expect(await get(first.body.id, headers)).toMatchObject({
    state: 'failed',
    message: "You don't have permission to take this action.",
  })
  await call(server, 'POST', '/auth/logout', { headers })
  await write(second.body.id)
  const again = await signInAs(server, person)
  expect(await get(second.body.id, again)).toMatchObject({
    state: 'failed',
    message: 'Your session has expired. Please login again.',
  })
})

test('[SCR-051] it is refused immediately where the list would refuse', async () => {
  const bad = async (body: unknown, headers = admin) => {
    const answer = await start(body, headers)
    return [answer.status, answer.body.errors?.[0]?.path]
  }
  expect(await bad({ kind: 'invoices', filter: { status: 'NO_SUCH' } })).toEqual([422, 'filter.status.0'])
  expect((await bad({ kind: 'invoices', filter: { nonsense: '1' } }))[0]).toBe(422)
  expect((await bad({ kind: 'invoices', filter: { number: 'REP-1' } }))[0]).toBe(422)
  expect((await bad({ kind: 'employees', filter: {} }))[0]).toBe(422)
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  expect((await bad({ kind: 'invoices', filter: {} }, reader))[0]).toBe(403)
})

test('[SCR-051] a new export replaces the oldest finished one, never one that waits', async () => {
  const headers = await signInAs(server, await createPerson(server.db, { permissions: [1] }))
  const ids: string[] = []
  const add = async () => {
    const answer = await start({ kind: 'repayments', filter: {} }, headers)
    if (answer.status === 201) ids.push(answer.body.id)
    return answer
  }
  const stored = async () => (await call(server, 'GET', '/exports', { headers })).body.exports.map(({ id }: { id: string }) => id)
  for (let count = 0; count < 20; count++) await add()
  const refused = await add()
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    429,
    'too-many-exports',
    'You have 20 exports that are still being written, which is the most. Wait until one is done.',
  ])
  expect((await stored()).sort()).toEqual(ids.toSorted())
  // The second one is done; the first one, which is older, still waits.
  const [first = '', second = ''] = ids
  await write(second)
  expect((await add()).status).toBe(201)
  expect((await get(first, headers)).state).toBe('waiting')
  expect((await get(second, headers)).status).toBe(404)
  await sql`delete from exports where state = 'waiting'`.execute(server.db)
})

test('[SCR-051] repayments can be exported, too', async () => {
  const debtor = { type: 'EMPLOYER', id: employers[0] as number } as const
  const { referenceId } = await createRepayment(server.db, { debtor, amount: -12_34, descriptor: '+1 transfer' })
  const { body } = await start({ kind: 'repayments', filter: { 'reconciliation-status': 'PENDING' } })
  await write(body.id)
  expect(await get(body.id)).toMatchObject({ state: 'done', done: 1 })
  const { rows } = await fileOf(body.id)
  expect(rows[1]).toContain(`${referenceId},'=Harbor,'=Harbor Works 1,,-12.34,`)
  expect(rows[1]).toContain(`'+1 transfer`)
})
