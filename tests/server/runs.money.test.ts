import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '#server/jobs/worker.ts'
import { bankOf } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createWriteOff } from '#tests/support/money.ts'
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

const start = (body: unknown, headers = admin) => call(server, 'POST', '/runs', { headers, body })
const get = async (path: string, headers = admin) => (await call(server, 'GET', path, { headers })).body

async function waitForRun(id: string) {
  for (let tries = 0; tries < 400; tries += 1) {
    const run = await get(`/runs/${id}`)
    if (run.state !== 'running') return run
    await sleep(50)
  }
  throw new Error('The run did not end.')
}

test('[SCR-053] [INV-016] the server closes all invoices of a filter, each by its own rule', async () => {
  const [employerId] = employers as [number, number]
  const sent = await Promise.all(Array.from({ length: 4 }, () => createInvoice(server.db, { employerId, original: 5_000 })))
  const draft = await createInvoice(server.db, { employerId, status: 'DRAFT', original: 5_000, reportDate: 20 })
  const body = { intent: 'invoice.close', body: {}, targets: { filter: { 'employer-id': String(employerId) } } }
  const dry = await start({ ...body, dry_run: true })
  expect(dry.body).toMatchObject({ total: 5, waiting: 4, blocked: 1 })
  expect(dry.body.problems).toEqual([
    { target_id: String(draft.id), title: draft.number, state: 'blocked', message: 'Actions unavailable when in Draft.' },
  ])
  const keyed = { ...admin, 'idempotency-key': 'close-all' }
  expect(await start({ ...body, eligible: 4 })).toMatchObject({ status: 400, body: { code: 'idempotency-key-required' } })
  expect(await start(body, { ...admin, 'idempotency-key': 'unseen' })).toMatchObject({
    status: 428,
    body: { code: 'version-required', errors: [{ path: 'eligible' }] },
  })
  for (const { id } of sent) expect((await get(`/invoices/${id}`)).status).toBe('SENT')
  const stop = await startWorker(server.services)
  try {
    const run = await start({ ...body, eligible: 4 }, keyed)
    expect(run.status).toBe(201)
    expect((await start({ ...body, eligible: 4 }, keyed)).body.id).toBe(run.body.id)
    expect(await waitForRun(run.body.id)).toMatchObject({ state: 'done', done: 4, blocked: 1, failed: 0 })
    for (const { id } of sent) expect((await get(`/invoices/${id}`)).status).toBe('CLOSED')
    expect((await get(`/invoices/${draft.id}`)).status).toBe('DRAFT')
  } finally {
    await stop()
  }
})

test('[DED-005] [DED-006] deductions and write-offs can be decided in bulk too, within the access of the person', async () => {
  const [mine, other] = employers as [number, number]
  const open = await createInvoice(server.db, { employerId: mine, status: 'ON_DEDUCTION_FILE', original: 5_000 })
  const foreign = await createInvoice(server.db, { employerId: other, status: 'ON_DEDUCTION_FILE', original: 5_000 })
  const manager = await signInAs(
    server,
    await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 1001], grants: [{ employerId: mine }] }),
  )
  const body = { intent: 'deduction.approve', body: {}, dry_run: true }
  const byId = await start({ ...body, targets: { ids: [open.deductionId, foreign.deductionId] } }, manager)
  expect(byId.body).toMatchObject({ total: 2, waiting: 1, failed: 1 })
  const byFilter = await start({ ...body, targets: { filter: { status: 'PENDING' } } }, manager)
  expect(byFilter.body).toMatchObject({ total: 1, waiting: 1 })
  const unknown = await start({ ...body, targets: { filter: { stats: 'PENDING' } } }, manager)
  expect(unknown.status).toBe(422)
  const nothing = await start({ intent: 'write-off.reject', body: { reason: 'No' }, targets: { filter: {} } })
  expect(nothing.body.errors[0].message).toBe('There are no records to change.')
})

test('[WOF-002] [SCR-062] write-offs are approved in full over a filter; one amount for all previews its refusals', async () => {
  const [employerId] = employers as [number, number]
  const amounts = [20_00, 20_00, 168_00, 483_60]
  const ids: number[] = []
  for (const amount of amounts) {
    const { id, lineIds } = await createInvoice(server.db, { employerId, original: 1_000_00 })
    ids.push((await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount })).id)
  }
  const body = (given: object) => ({
    intent: 'write-off.approve',
    command: 'write-off.approve',
    body: { reason: 'Left', ...given },
    targets: { filter: { status: 'PENDING' } },
  })
  const preview = async (given: object) => (await start({ ...body(given), dry_run: true })).body
  expect(await preview({ amount: 20_00 })).toMatchObject({ waiting: 4, amounts: { moved: 80_00, left: 611_60 } })
  expect(await preview({ amount: 100_00 })).toMatchObject({
    waiting: 2,
    blocked: 2,
    amounts: { moved: 200_00, left: 451_60 },
    problems: [
      { target_id: String(ids[0]), message: 'The approved amount cannot exceed the suggested amount.' },
      { target_id: String(ids[1]) },
    ],
  })
  expect(await preview({})).toMatchObject({ waiting: 4, blocked: 0, amounts: { moved: 691_60, left: 0 } })
  const keyed = (key: string) => ({ ...admin, 'idempotency-key': key })
  expect(await start({ ...body({}), eligible: 4, moved: 80_00 }, keyed('another-sum'))).toMatchObject({
    status: 409,
    body: { code: 'stale-version', detail: 'Amounts changed in the meantime: they come to $691.60 now. Check the sum again.' },
  })
  const writeOffs = () => Promise.all(ids.map((id) => get(`/write-offs/${id}`)))
  const stop = await startWorker(server.services)
  try {
    const run = await start({ ...body({}), eligible: 4, moved: 691_60 }, keyed('approve-all'))
    expect(await waitForRun(run.body.id)).toMatchObject({ state: 'done', done: 4, blocked: 0, failed: 0 })
    expect((await writeOffs()).map(({ status, approved_amount }) => [status, approved_amount])).toEqual(
      amounts.map((amount) => ['APPROVED', amount]),
    )
    const undo = await call(server, 'POST', `/runs/${run.body.id}/undo`, { headers: admin })
    expect(await waitForRun(undo.body.id)).toMatchObject({ state: 'done', done: 4, failed: 0 })
    expect((await writeOffs()).map(({ status }) => status)).toEqual(amounts.map(() => 'REVERSED'))
  } finally {
    await stop()
  }
})

test('unbookable bank results are dismissed over a filter, and the run is undone in one step', async () => {
  const traces = Array.from({ length: 60 }, (_, at) => `0910000${String(10_000_000 + at)}`)
  await bankOf(server.db).says(...traces.map((trace) => ({ trace, code: 'R01', amount: 12_00 })))
  const states = async () =>
    (await get('/bank-results?limit=100')).bank_results.map((result: { state: string; decision_reason: string | null }) => [
      result.state,
      result.decision_reason,
    ])
  const body = {
    intent: 'bank-result.dismiss',
    command: 'bank-result.dismiss',
    body: { reason: 'Of another company' },
    targets: { filter: { state: 'UNMATCHED' } },
  }
  expect((await start({ ...body, dry_run: true })).body).toMatchObject({ total: 60, waiting: 60, blocked: 0 })
  const stop = await startWorker(server.services)
  try {
    const run = await start({ ...body, eligible: 60 }, { ...admin, 'idempotency-key': 'dismiss-all' })
    expect(await waitForRun(run.body.id)).toMatchObject({ state: 'done', done: 60, failed: 0 })
    expect(await states()).toEqual(traces.map(() => ['DISMISSED', 'Of another company']))
    const undo = await call(server, 'POST', `/runs/${run.body.id}/undo`, { headers: admin })
    expect(undo.body).toMatchObject({ undoes: run.body.id, total: 60 })
    expect(await waitForRun(undo.body.id)).toMatchObject({ state: 'done', done: 60, failed: 0 })
    expect(await states()).toEqual(traces.map(() => ['UNMATCHED', null]))
  } finally {
    await stop()
  }
})

test('a row reserved for another run is left to it, in preview and run', async () => {
  const [, employerId] = employers as [number, number]
  const made: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const { id, lineIds } = await createInvoice(server.db, { employerId, original: 100_00 })
    made.push((await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 10_00 })).id)
  }
  const [first, second, third] = made as [number, number, number]
  const of = (intent: string, ids: number[]) => ({ intent, command: intent, body: { reason: 'Left' }, targets: { ids } })
  const keyed = (key: string) => ({ ...admin, 'idempotency-key': key })
  const earlier = await start({ ...of('write-off.reject', [first, second]), eligible: 2 }, keyed('first-of-two'))
  const later = of('write-off.approve', made)
  const dry = (await start({ ...later, dry_run: true })).body
  expect(dry).toMatchObject({ total: 3, waiting: 1, blocked: 2, amounts: { moved: 10_00 } })
  expect(dry.problems.map((row: { target_id: string; message: string }) => [row.target_id, row.message])).toEqual(
    [first, second].map((id) => [String(id), 'Part of a run that is under way.']),
  )
  const run = await start({ ...later, eligible: 1, moved: 10_00 }, keyed('second-of-two'))
  expect(run.body).toMatchObject({ state: 'running', waiting: 1, blocked: 2 })
  const stop = await startWorker(server.services)
  try {
    expect(await waitForRun(run.body.id)).toMatchObject({ done: 1, blocked: 2, failed: 0 })
    expect(await waitForRun(earlier.body.id)).toMatchObject({ done: 2, blocked: 0, failed: 0 })
  } finally {
    await stop()
  }
  const states = await Promise.all(made.map(async (id) => (await get(`/write-offs/${id}`)).status))
  expect(states).toEqual(['REJECTED', 'REJECTED', 'APPROVED'])
  // Once a run has ended its rows can be chosen again.
  expect((await start({ ...of('write-off.reverse', [third]), dry_run: true })).body).toMatchObject({ waiting: 1, blocked: 0 })
})
