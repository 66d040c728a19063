import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { createBalance, createCompany, createEmployee, createLinkedAccount } from '#tests/support/company.ts'
import { addDays } from '#domain/calendar.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let other: Headers
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
  other = await signInAs(server, await createPerson(server.db, { name: 'Otto Other', groups: [1] }))
})
afterAll(() => server.close())

const get = (path: string, headers = admin) => call(server, 'GET', path, { headers })
const patch = (id: number, body: unknown, headers = admin) => call(server, 'PATCH', `/employees/${id}`, { headers, body })
const headersWith = async (...permissions: number[]) => signInAs(server, await createPerson(server.db, { permissions }))

test('[EMP-001] [EMP-003] [API-109] an employee is paused, with a reason and optional details', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  const paused = await patch(id, { status: 'PAUSED', reason: 'Fraud review', version: 1 })
  expect(paused.status).toBe(200)
  expect(paused.body).toMatchObject({
    status: 'PAUSED',
    version: 2,
    pause: { reason: 'Fraud review', details: null, by: { name: 'Ada Admin' } },
  })
  expect(paused.body.updated_at > paused.body.created_at).toBe(true)
  expect((await get(`/employees/${id}`)).body).toEqual(paused.body)
  const again = await patch(id, { status: 'PAUSED', reason: 'Again', details: 'More', version: 2 })
  expect(again.status).toBe(409)
  expect(again.body).toMatchObject({ code: 'already-paused', detail: 'Already paused.' })
})

test('[EMP-002] pause needs a reason', async () => {
  const { id } = await createEmployee(server.db, { employerId })
  for (const reason of [undefined, '', '   ']) {
    const answer = await patch(id, { status: 'PAUSED', reason, version: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([{ path: 'reason', message: 'This is a required field.' }])
  }
})

test('[EMP-001] a status that does not allow it is named in the refusal', async () => {
  const { id } = await createEmployee(server.db, { employerId, status: 'TERMINATED' })
  const answer = await patch(id, { status: 'PAUSED', reason: 'No', version: 1 })
  expect(answer.status).toBe(409)
  expect(answer.body.detail).toBe('Actions unavailable when in Terminated.')
})

test('[EMP-001] of two people who pause one employee concurrently, the second gets a conflict', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await createEmployee(server.db, { employerId, linked: {} })
    const body = { status: 'PAUSED', reason: 'At once', version: 1 }
    const answers = await Promise.all([patch(id, body), patch(id, body, other)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    const lost = answers.find((answer) => answer.status === 409)
    expect(lost?.body.code).toBe('stale-version')
    expect(lost?.body.facts).toMatchObject({ id, status: 'PAUSED', version: 2 })
    expect((await get(`/employees/${id}/events`)).body.events).toHaveLength(1)
  }
})

test('[EMP-004] [EMP-005] resume restores the previous status, with notes in the history', async () => {
  const linked = await createEmployee(server.db, { employerId, linked: {}, status: 'PAUSED' })
  const resumed = await patch(linked.id, { status: 'ACTIVE', notes: 'Hours confirmed', version: 1 })
  expect(resumed.body).toMatchObject({ status: 'ACTIVE', pause: null, version: 2 })
  const unlinked = await createEmployee(server.db, { employerId, status: 'ELIGIBLE' })
  await patch(unlinked.id, { status: 'PAUSED', reason: 'Wait', version: 1 })
  expect((await patch(unlinked.id, { status: 'ACTIVE', version: 2 })).body.status).toBe('ELIGIBLE')
  const [event] = (await get(`/employees/${linked.id}/events`)).body.events
  expect(event).toMatchObject({ status: 'Resumed', text: 'Hours confirmed', actor: { name: 'Ada Admin' }, version: 2 })
})

test('[EMP-004] someone unlinked while paused does not become active again', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, status: 'PAUSED' })
  const unlinked = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(unlinked.body).toMatchObject({ status: 'PAUSED', user_id: null, user: null })
  expect((await patch(id, { status: 'ACTIVE', version: 2 })).body.status).toBe('ELIGIBLE')
})

test('[EMP-006] [API-111] can-unpause returns the reasons, and resume is refused with them', async () => {
  const good = await createEmployee(server.db, { employerId, linked: {}, status: 'PAUSED' })
  expect((await get(`/employees/${good.id}/can-unpause`)).body).toEqual({ can_unpause: true, reasons: [] })
  const bad = await createEmployee(server.db, { employerId, linked: { kyc: 'DENIED' }, status: 'PAUSED', unrecovered: 500 })
  const reasons = ['The identity check was denied.', 'An earlier balance was not recovered.']
  expect((await get(`/employees/${bad.id}/can-unpause`)).body).toEqual({ can_unpause: false, reasons })
  const refused = await patch(bad.id, { status: 'ACTIVE', version: 1 })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: 'cannot-unpause', detail: reasons.join(' ') })
  const closed = (await createCompany(server.db, 'Closed')).employerIds[0] as number
  await server.db.updateTable('employers').set({ status: 'INACTIVE' }).where('id', '=', closed).execute()
  const there = await createEmployee(server.db, { employerId: closed, linked: {}, status: 'PAUSED' })
  expect((await get(`/employees/${there.id}/can-unpause`)).body.reasons).toEqual(['The employer is inactive.'])
})

test('[PERM-033] [PERM-037] resuming also needs write:unpause', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, status: 'PAUSED' })
  const refused = await patch(id, { status: 'ACTIVE', version: 1 }, await headersWith(2, 9))
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ code: 'permission-denied', detail: "You don't have permission to take this action." })
  expect((await patch(id, { status: 'ACTIVE', version: 1 }, await headersWith(2, 9, 1013))).status).toBe(200)
})

test('[EMP-008] [API-116] unlink takes an empty body, clears the user and keeps the history', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {}, balance: { available: 1_000 } })
  await patch(id, { status: 'PAUSED', reason: 'First', version: 1 })
  const answer = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ user_id: null, user: null, version: 3 })
  const { events } = (await get(`/employees/${id}/events`)).body
  expect(events.map((event: { status: string }) => event.status)).toEqual(['Unlinked', 'Paused'])
  expect(events[0].changes).toEqual([{ field: 'user_id', before: userId, after: null }])
  const again = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(again.body.code).toBe('not-linked')
})

test('[EMP-008] a stale version unlinks nobody, since the user may have changed', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  await patch(id, { status: 'PAUSED', reason: 'Meanwhile', version: 1 })
  const stale = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: { version: 1 } })
  expect([stale.status, stale.body.code, stale.body.facts.version]).toEqual([409, 'stale-version', 2])
  expect((await get(`/employees/${id}`)).body.user_id).toBe(userId)
  const seen = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: { version: 2 } })
  expect(seen.body).toMatchObject({ user_id: null, version: 3 })
})

test('[EMP-008] an active employee who is unlinked can enrol again', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  expect((await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })).body.status).toBe('ELIGIBLE')
})

test('[EMP-008] unlink waits for a pending transaction', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, balance: { available: 1_000, pending: 1 } })
  const answer = await call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(answer.status).toBe(409)
  expect(answer.body.code).toBe('transaction-pending')
})

test('[EMP-008] unlink waits for a transaction still pending from a past work period', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, balance: { available: 1_000 } })
  const over = { available: 1_000, pending: 5_00, start: '2025-12-01', end: '2025-12-07', open: false }
  const balanceId = await createBalance(server.db, id, over)
  const unlink = () => call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} })
  expect(await unlink()).toMatchObject({ status: 409, body: { code: 'transaction-pending' } })
  await sql`update transactions set status = 'FAIL', settled_at = now() where work_period_balance_id = ${balanceId}`.execute(
    server.db,
  )
  expect((await unlink()).status).toBe(200)
})

test.each([
  ['PERM-031', 'PAYROLL', 1011, 1012],
  ['PERM-032', 'CONSUMER', 1012, 1011],
] as const)('[%s] unlink in the %s flow needs its own permission', async (_, flow, right, wrong) => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, flow })
  const unlink = async (permission: number) =>
    (await call(server, 'POST', `/employees/${id}/unlink`, { headers: await headersWith(2, permission), body: {} })).status
  expect(await unlink(wrong)).toBe(403)
  expect(await unlink(right)).toBe(200)
})

test('[PERM-003] every write outside of the grants is 404, and changes nothing', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  const stranger = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: permissionIds,
      grants: [{ employerId: (await createCompany(server.db, 'Elsewhere')).employerIds[0] as number }],
    }),
  )
  expect((await patch(id, { status: 'PAUSED', reason: 'No', version: 1 }, stranger)).status).toBe(404)
  expect((await call(server, 'POST', `/employees/${id}/unlink`, { headers: stranger, body: {} })).status).toBe(404)
  const forced = await call(server, 'PUT', `/users/${userId}/force-password-change`, {
    headers: stranger,
    body: { force_password: true, version: 1 },
  })
  expect(forced.status).toBe(404)
  expect((await get(`/employees/${id}`)).body.version).toBe(1)
})

test('[PERM-003] a revoked grant takes effect at once', async () => {
  const company = await createCompany(server.db, 'Fickle')
  const { id } = await createEmployee(server.db, { employerId: company.employerIds[0] as number })
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [2, 9],
    grants: [{ organizationId: company.organizationId }],
  })
  const headers = await signInAs(server, person)
  expect((await get(`/employees/${id}`, headers)).status).toBe(200)
  const other = (await createCompany(server.db, 'Other')).organizationId
  const grantOf = (organization_id: number) =>
    server.db.updateTable('access_grants').set({ organization_id }).where('person_id', '=', person.id).execute()
  await grantOf(other)
  expect((await get(`/employees/${id}`, headers)).status).toBe(404)
  await grantOf(company.organizationId)
  expect((await get(`/employees/${id}`, headers)).status).toBe(200)
  await server.db.deleteFrom('access_grants').where('person_id', '=', person.id).execute()
  expect((await patch(id, { status: 'PAUSED', reason: 'No', version: 1 }, headers)).status).toBe(404)
})

test('[API-110] the histories of employee and user are one list by cursor, newest first', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  const force = (force_password: boolean, version: number) =>
    call(server, 'PUT', `/users/${userId}/force-password-change`, { headers: admin, body: { force_password, version } })
  await force(true, 1)
  await patch(id, { status: 'PAUSED', reason: 'One', details: 'Two', version: 1 })
  await patch(id, { status: 'ACTIVE', version: 2 })
  await force(false, 2)
  const first = (await get(`/employees/${id}/events?limit=3`)).body
  expect(first.events.map((event: { status: string }) => event.status)).toEqual([
    'Password change cancelled',
    'Resumed',
    'Paused',
  ])
  expect(first.events[2]).toMatchObject({ category: 'user', text: 'One\nTwo' })
  const rest = (await get(`/employees/${id}/events?limit=3&lek=${first.lek}`)).body
  expect(rest.events.map((event: { status: string }) => event.status)).toEqual(['Password change forced'])
  expect(rest.lek).toBeNull()
  expect((await get(`/employees/${id}/events?limit=3&lek=${first.lek}`, other)).body.code).toBe('cursor-invalid')
})

test('[API-110] the history marks an undo', async () => {
  const { id } = await createEmployee(server.db, { employerId })
  const as = (command: string) => ({ ...admin, command })
  await patch(id, { status: 'PAUSED', reason: 'Leave', version: 1 }, as('employee.pause'))
  await patch(id, { status: 'ACTIVE', version: 2 }, as('session.undo'))
  const { events } = (await get(`/employees/${id}/events`)).body
  expect(events.map(({ status, undo }: { status: string; undo?: true }) => [status, undo])).toEqual([
    ['Resumed', true],
    ['Paused', undefined],
  ])
})

test('[API-110] the history is filtered by event and category, with separate cursors', async () => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  const card = await createLinkedAccount(server.db, { userId: userId as number, kind: 'CARD' })
  await patch(id, { status: 'PAUSED', reason: 'One', version: 1 })
  await patch(id, { status: 'ACTIVE', version: 2 })
  await patch(id, { status: 'PAUSED', reason: 'Two', version: 3 })
  await call(server, 'DELETE', `/users/${userId}/cards/${card}?version=1`, { headers: admin, body: { reason: 'x', notes: 'y' } })
  const statusesOf = async (query: string) =>
    (await get(`/employees/${id}/events?${query}`)).body.events.map((event: { status: string }) => event.status)
  expect(await statusesOf('')).toEqual(['DEACTIVATE', 'Paused', 'Resumed', 'Paused'])
  expect(await statusesOf('status=Paused')).toEqual(['Paused', 'Paused'])
  expect(await statusesOf('status=Resumed,DEACTIVATE')).toEqual(['DEACTIVATE', 'Resumed'])
  expect(await statusesOf('status-not=Paused')).toEqual(['DEACTIVATE', 'Resumed'])
  expect(await statusesOf('category=card')).toEqual(['DEACTIVATE'])
  expect(await statusesOf('category=user&status=DEACTIVATE')).toEqual([])
  const first = (await get(`/employees/${id}/events?status=Paused&limit=1`)).body
  expect((await get(`/employees/${id}/events?status=Paused&limit=1&lek=${first.lek}`)).body.events[0].text).toBe('One')
  expect((await get(`/employees/${id}/events?limit=1&lek=${first.lek}`)).body.code).toBe('cursor-invalid')
  expect((await get(`/employees/${id}/events?status=Nothing`)).status).toBe(422)
})

test('[PGR-007, PGR-008] pay frequency and next pay date are both required, and the date must be valid', async () => {
  const { id } = await createEmployee(server.db, { employerId, payFrequency: 'WEEKLY' })
  const today = await server.db.transaction().execute(businessDate)
  const good = { pay_frequency: 'MONTHLY', next_pay_date: addDays(today, 30), version: 1 }
  const wrong = async (more: object) => messagesOf(await patch(id, { ...good, ...more }))
  expect(await wrong({ pay_frequency: '' })).toEqual({ status: 422, pay_frequency: 'This is a required field.' })
  expect(await wrong({ next_pay_date: '' })).toEqual({ status: 422, next_pay_date: 'This is a required field.' })
  const past = 'The next pay date cannot be in the past.'
  expect(await wrong({ next_pay_date: addDays(today, -1) })).toEqual({ status: 422, next_pay_date: past })
  const far = 'The next pay date is at most 62 days away.'
  expect(await wrong({ next_pay_date: addDays(today, 63) })).toEqual({ status: 422, next_pay_date: far })
  // An unknown status is refused, not ignored as a change of pay details.
  expect((await patch(id, { ...good, status: 'GONE' })).body.errors).toEqual([
    { path: 'status', message: 'Must be one of: PAUSED, ACTIVE' },
  ])
  expect((await patch(id, good)).body).toMatchObject({ ...good, version: 2 })
  expect((await patch(id, { ...good, next_pay_date: today, version: 2 })).status).toBe(200)
  expect((await patch(id, good)).status).toBe(409)

  // The history has the event without the amount, since people without pay details read it, too.
  const { body } = await get(`/employees/${id}/events`, await headersWith(2))
  expect(body.events[0]).toMatchObject({ status: 'Pay details changed', text: null, changes: [] })
  for (const permissions of [[1006], [98], [9, 98]])
    expect((await patch(id, { ...good, version: 3 }, await headersWith(...permissions))).status).toBe(403)
  const gone = await createEmployee(server.db, { employerId, status: 'DELETED' })
  expect((await patch(gone.id, good)).body.detail).toBe('Actions unavailable when in Deleted.')
})
