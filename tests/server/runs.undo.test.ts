import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { executeRun } from '#server/jobs/execute-run.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createInvoices } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
})
afterAll(() => server.close())

const make = async (count: number, extra: object = {}) =>
  (
    await Promise.all(
      Array.from({ length: count }, () => createEmployee(server.db, { employerId: employers[0] as number, ...extra })),
    )
  ).map(({ id }) => id)
const post = (path: string, body: unknown = {}, headers = admin) => call(server, 'POST', path, { headers, body })
const get = async (id: string, headers = admin) => (await call(server, 'GET', `/runs/${id}`, { headers })).body
const work = (id: string) => executeRun(server.services, id, () => false)
const statuses = async (ids: readonly number[]) =>
  (await server.db.selectFrom('employees').select(['id', 'status']).where('id', 'in', ids).orderBy('id').execute()).map(
    ({ status }) => status,
  )
const eventsOf = (ids: readonly number[]) =>
  server.db.selectFrom('audit_events').selectAll().where('entity_id', 'in', ids.map(String)).orderBy('id').execute()

async function paused(ids: readonly number[], headers = admin): Promise<string> {
  const run = await post(
    '/runs',
    { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'Bulk' }, targets: { ids } },
    headers,
  )
  await work(run.body.id)
  return run.body.id
}

test('[EMP-001] a run is undone by one run: each row as a guarded, audited request', async () => {
  const ids = await make(30)
  const gone = await make(2, { status: 'TERMINATED' })
  const id = await paused([...ids, ...gone])
  const run = await get(id)
  expect(run).toMatchObject({ done: 30, blocked: 2, undoes: null, undone_by: null })
  expect(Date.parse(run.undo_until) - Date.parse(run.finished_at)).toBe(600_000)
  const undo = await post(`/runs/${id}/undo`)
  expect([undo.status, undo.body]).toMatchObject([
    201,
    { undoes: id, total: 30, waiting: 30, state: 'running', undo_until: null },
  ])
  await work(undo.body.id)
  expect(await get(undo.body.id)).toMatchObject({ state: 'done', done: 30, blocked: 0, failed: 0 })
  expect(await get(id)).toMatchObject({ undone_by: undo.body.id, undo_until: null })
  expect(new Set(await statuses(ids))).toEqual(new Set(['ELIGIBLE']))
  expect(await statuses(gone)).toEqual(['TERMINATED', 'TERMINATED'])
  const events = await eventsOf(ids)
  expect(events).toHaveLength(60)
  expect(events.at(-1)).toMatchObject({ actor_name: 'Ada Admin', status: 'Resumed', command: 'session.undo', text: 'Undone' })
})

test('[EMP-001, EMP-004] the preview says for how many rows the undo would currently be refused, and why', async () => {
  const ids = await make(3)
  const owing = await make(2, { unrecovered: 10_00 })
  const body = { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'Bulk' }, targets: { ids: [...ids, ...owing] } }
  const preview = await post('/runs', { ...body, dry_run: true })
  const why = [{ sentence: 'An earlier balance was not recovered.', count: 2 }]
  expect(preview.body).toMatchObject({ waiting: 5, undo_refused: why })
  const id = await paused([...ids, ...owing])
  const undo = await post(`/runs/${id}/undo`)
  await work(undo.body.id)
  expect(await get(undo.body.id)).toMatchObject({ done: 3, blocked: 2 })
})

test('[EMP-001, EMP-004] after the run the preview covers its done rows, by their earlier state', async () => {
  const ids = await make(2)
  const owing = await make(3, { unrecovered: 10_00 })
  // Another run was first for most of the counted rows.
  await paused(owing.slice(0, 2))
  const id = await paused([...ids, ...owing])
  const why = [{ sentence: 'An earlier balance was not recovered.', count: 1 }]
  expect(await get(id)).toMatchObject({ done: 3, blocked: 2, undo_refused: why })
  const undo = await post(`/runs/${id}/undo`)
  await work(undo.body.id)
  expect(await get(undo.body.id)).toMatchObject({ done: 2, blocked: 1 })
  expect(await get(id)).not.toHaveProperty('undo_refused')
})

test('[EMP-001] repeated requests return the same undo run, and an undo cannot be undone', async () => {
  const ids = await make(3)
  const id = await paused(ids)
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(`/runs/${id}/undo`)))
  const [first] = answers.map((answer) => answer.body.id)
  expect(answers.map((answer) => [answer.status, answer.body.id])).toEqual(answers.map(() => [201, first]))
  await Promise.all([work(first), work(first)])
  expect((await post(`/runs/${id}/undo`)).body).toMatchObject({ id: first, state: 'done', done: 3 })
  expect((await eventsOf(ids)).map((event) => event.status).sort()).toEqual([
    ...Array(3).fill('Paused'),
    ...Array(3).fill('Resumed'),
  ])
  expect((await post(`/runs/${first}/undo`)).body.code).toBe('undo-refused')
  expect((await post(`/runs/${id}/retry`)).body.detail).toBe('This run was undone. Start it again.')
})

test('[EMP-001] rows that changed since then are skipped, each with its reason', async () => {
  const [moved, resumed, good] = (await make(3)) as [number, number, number]
  const id = await paused([moved, resumed, good])
  const patch = async (employee: number, body: object) => {
    const { version } = (await call(server, 'GET', `/employees/${employee}`, { headers: admin })).body
    return call(server, 'PATCH', `/employees/${employee}`, { headers: admin, body: { ...body, version } })
  }
  await patch(resumed, { status: 'ACTIVE' })
  await patch(moved, { status: 'ACTIVE' })
  await patch(moved, { status: 'PAUSED', reason: 'By hand' })
  const undo = (await post(`/runs/${id}/undo`)).body.id
  await work(undo)
  const undone = await get(undo)
  expect(undone).toMatchObject({ done: 1, blocked: 2, failed: 0 })
  const sentence = 'Mia Torres has changed since; undo would overwrite that.'
  expect(undone.problems.map((row: { target_id: string; message: string }) => [row.target_id, row.message])).toEqual([
    [String(moved), sentence],
    [String(resumed), sentence],
  ])
  const kept = await server.db
    .selectFrom('employees')
    .select(['status', 'pause_reason'])
    .where('id', '=', moved)
    .executeTakeFirst()
  expect(kept).toEqual({ status: 'PAUSED', pause_reason: 'By hand' })
})

test('[EMP-001] an interrupted undo continues where it was, and undoes nothing twice', async () => {
  const ids = await make(30)
  const id = await paused(ids)
  const undo = (await post(`/runs/${id}/undo`)).body.id
  let asked = 0
  await executeRun(server.services, undo, () => {
    asked += 1
    return asked > 12
  })
  const half = await get(undo)
  expect([half.done > 0, half.done < 30]).toEqual([true, true])
  // As if the process had died between the change and marking the row as done.
  await sql`update run_rows set state = 'waiting' where run_id = ${undo}`.execute(server.db)
  const stop = await startWorker(server.services)
  try {
    for (let tries = 0; tries < 200 && (await get(undo)).state === 'running'; tries += 1) await sleep(50)
  } finally {
    await stop()
  }
  expect(await get(undo)).toMatchObject({ state: 'done', done: 30 })
  expect(await eventsOf(ids)).toHaveLength(60)
})

test('[EMP-001] it is refused during the run, after ten minutes, and if nothing was done', async () => {
  const ids = await make(4)
  const going = await post('/runs', { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { ids } })
  const refusal = async (id: string, headers = admin) => {
    const { status, body } = await post(`/runs/${id}/undo`, {}, headers)
    return [status, body.detail]
  }
  const { id } = going.body
  expect(await refusal(id)).toEqual([409, 'This run is still under way. Stop it first, or wait for its end.'])
  await post(`/runs/${id}/stop`)
  expect(await refusal(id)).toEqual([409, 'Nothing was changed by this run, so that there is nothing to undo.'])
  const done = await paused(ids)
  await sql`update runs set finished_at = finished_at - interval '10 minutes 1 second' where id = ${done}`.execute(server.db)
  expect(await refusal(done)).toEqual([409, 'Undo is possible for 10 minutes.'])
  const linked = await make(1, { linked: {} })
  const never = await post('/runs', { intent: 'employee.unlink', body: {}, targets: { ids: linked } })
  await work(never.body.id)
  expect(await refusal(never.body.id)).toEqual([409, 'This run cannot be undone.'])
  const stranger = await signInAs(server, await createPerson(server.db, { groups: [1] }))
  expect((await refusal(done, stranger))[0]).toBe(404)
})

test('[PERM-037] every row of an undo is checked against the current rights and access', async () => {
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [2, 9, 1013],
    grants: [{ employerId: employers[0] as number }, { employerId: employers[1] as number }],
  })
  const headers = await signInAs(server, person)
  const [own] = await make(1)
  const [taken] = await make(1, { employerId: employers[1] as number })
  const id = await paused([own as number, taken as number], headers)
  await sql`delete from access_grants where person_id = ${person.id} and employer_id = ${employers[1]}`.execute(server.db)
  const undo = (await post(`/runs/${id}/undo`, {}, headers)).body.id
  await work(undo)
  const undone = await get(undo, headers)
  expect(undone).toMatchObject({ done: 1, failed: 1 })
  // A person without access to a row does not see its name.
  expect(undone.problems).toMatchObject([{ target_id: String(taken), title: String(taken) }])
  const second = await paused([own as number], headers)
  await sql`delete from person_permissions where person_id = ${person.id} and permission_id = 1013`.execute(server.db)
  // An undo is not offered without the permission that it needs.
  expect((await get(second, headers)).undo_until).toBeNull()
  const refused = (await post(`/runs/${second}/undo`, {}, headers)).body.id
  await work(refused)
  expect((await get(refused, headers)).problems[0].message).toBe("You don't have permission to take this action.")
  await sql`delete from person_permissions where person_id = ${person.id} and permission_id = 2`.execute(server.db)
  expect((await call(server, 'GET', `/runs/${second}`, { headers })).status).toBe(403)
  expect((await call(server, 'GET', '/runs', { headers })).body.runs).toEqual([])
})

test('[INV-016] invoices closed by a run are reopened, and the due dates of another one are restored', async () => {
  const employerId = employers[0] as number
  const invoices = await Promise.all(Array.from({ length: 3 }, () => createInvoice(server.db, { employerId, original: 5_000 })))
  const ids = invoices.map((invoice) => invoice.id)
  const rows = () =>
    server.db.selectFrom('invoices').select(['status', 'due_date']).where('id', 'in', ids).orderBy('id').execute()
  const before = await rows()
  for (const [intent, body] of [
    ['invoice.close', {}],
    ['invoice.edit', { due_date: '2027-03-01', reason: 'Later' }],
  ] as const) {
    // Money needs its key and the confirmed number of rows.
    const keyed = { ...admin, 'idempotency-key': randomUUID() }
    const run = await post('/runs', { intent, body, targets: { ids }, eligible: ids.length }, keyed)
    await work(run.body.id)
    expect([intent, (await get(run.body.id)).done]).toEqual([intent, 3])
    expect(await rows()).not.toEqual(before)
    const undo = await post(`/runs/${run.body.id}/undo`)
    await work(undo.body.id)
    expect([intent, (await get(undo.body.id)).done]).toEqual([intent, 3])
    expect(await rows()).toEqual(before)
  }
})

test('[INV-017] undoing a reopen closes only invoices closed by hand, not those that closed automatically', async () => {
  const employerId = employers[0] as number
  const [byItself, byHand] = await createInvoices(
    server.db,
    (['CLOSED', 'SENT'] as const).map((status) => ({ employerId, original: 5_000, status })),
  )
  const ids = [byItself?.id as number, byHand?.id as number]
  const keyed = () => ({ ...admin, 'idempotency-key': randomUUID() })
  expect((await post(`/invoices/${ids[1]}/close`, { version: 1 }, keyed())).status).toBe(200)
  const run = await post('/runs', { intent: 'invoice.reopen', body: {}, targets: { ids }, eligible: 2 }, keyed())
  await work(run.body.id)
  const undo = await post(`/runs/${run.body.id}/undo`)
  await work(undo.body.id)
  expect(await get(undo.body.id)).toMatchObject({ done: 1, blocked: 1 })
  expect((await get(undo.body.id)).problems).toMatchObject([
    {
      target_id: String(ids[0]),
      message: 'It had closed by itself. Closed by hand it would stay Paid when its money comes back.',
    },
  ])
  const rows = await server.db
    .selectFrom('invoices')
    .select(['status', 'closed_by_name'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { status: 'SENT', closed_by_name: null },
    { status: 'CLOSED', closed_by_name: 'Ada Admin' },
  ])
})

test('a run starts only with the number of rows that the preview showed', async () => {
  const ids = await make(3)
  const body = { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'x' }, targets: { ids } }
  const dry = await post('/runs', { ...body, dry_run: true })
  await sql`update employees set status = 'TERMINATED' where id = ${ids[0]}`.execute(server.db)
  const stale = await post('/runs', { ...body, eligible: dry.body.waiting })
  expect([stale.status, stale.body.code, stale.body.facts]).toMatchObject([409, 'stale-version', { waiting: 2, blocked: 1 }])
  expect((await post('/runs', { ...body, eligible: 2 })).status).toBe(201)
  const { runs } = (await call(server, 'GET', '/runs', { headers: admin })).body
  expect(runs[0]).toMatchObject({ intent: 'employee.pause', total: 3, problems: [] })
})
