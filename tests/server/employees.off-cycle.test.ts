import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
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
const patch = (id: number, body: unknown, headers = admin) =>
  call(server, 'PATCH', `/employees/${id}/off-cycle-paid`, { headers, body })
const terminate = (id: number, version = 1, headers = admin) => patch(id, { off_cycle_paid: true, version }, headers)
const headersWith = async (...permissions: number[]) => signInAs(server, await createPerson(server.db, { permissions }))

test('[EMP-011] [API-112] off-cycle-paid terminates an employee, with actor and time in the history', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  const answer = await terminate(id)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ id, status: 'OFFCYCLE_PAID', version: 2 })
  expect((await get(`/employees/${id}`)).body).toEqual(answer.body)
  expect((await get(`/employees/${id}/events`)).body.events[0]).toMatchObject({
    status: 'Off-cycle paid',
    actor: { name: 'Ada Admin' },
    changes: [{ field: 'status', before: 'ACTIVE', after: 'OFFCYCLE_PAID' }],
  })
})

test('[API-112] the flag can only be set to true: false is 422, and so is a missing value', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  for (const off_cycle_paid of [false, undefined, null, 'true', 1])
    expect([off_cycle_paid, (await patch(id, { off_cycle_paid, version: 1 })).status]).toEqual([off_cycle_paid, 422])
  expect((await terminate(id)).status).toBe(200)
  expect((await patch(id, { off_cycle_paid: false, version: 2 })).status).toBe(422)
})

/** Copied from docs/rules/employees.md. */
const possible = ['ELIGIBLE', 'ACTIVE', 'INELIGIBLE', 'PAUSED', 'TERMINATED']

test('[EMP-011] the statuses that allow it', async () => {
  for (const status of employeeStatuses.values) {
    const { id } = await createEmployee(server.db, { employerId, status, linked: {} })
    const answer = await terminate(id)
    const expected = possible.includes(status)
      ? [200, undefined]
      : [409, `Actions unavailable when in ${employeeStatuses.label(status)}.`]
    expect([status, answer.status, answer.body.detail]).toEqual([status, ...expected])
  }
})

test('[EMP-013] nothing brings back an employee who was terminated off-cycle', async () => {
  const { id } = await createEmployee(server.db, { employerId, status: 'PAUSED', linked: {} })
  expect((await terminate(id)).body).toMatchObject({ status: 'OFFCYCLE_PAID', pause: null })
  const tries = [
    call(server, 'PATCH', `/employees/${id}`, { headers: admin, body: { status: 'ACTIVE', version: 2 } }),
    call(server, 'PATCH', `/employees/${id}`, { headers: admin, body: { status: 'PAUSED', reason: 'x', version: 2 } }),
    call(server, 'POST', `/employees/${id}/unlink`, { headers: admin, body: {} }),
    terminate(id, 2),
  ]
  for (const { status, body } of await Promise.all(tries))
    expect([status, body.detail]).toEqual([409, 'Actions unavailable when in Off-cycle paid.'])
  expect((await get(`/employees/${id}/can-unpause`)).body.can_unpause).toBe(false)
})

test('nothing is left to withdraw, and advances on the current invoice stay', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {}, balance: { available: 120_00, pending: 10_00 } })
  await createInvoice(server.db, { employerId, lines: [{ employeeId: id, amount: 80_00 }] })
  const before = (await get(`/employees/${id}`)).body.balance
  const share = (await get(`/employees/${id}/invoices`)).body
  const { body } = await terminate(id)
  expect(body.balance).toEqual({ ...before, limit_amount: before.taken_amount, available_amount: 0 })
  expect((await get(`/employees/${id}/invoices`)).body).toEqual(share)
  const listed = await get(`/employees?id=${id}&sort=available&include=balance`)
  expect(listed.body.employees[0].balance.available_amount).toBe(0)
})

test('of two concurrent calls, or one and a pause, the first succeeds, the second is refused', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await createEmployee(server.db, { employerId, linked: {} })
    const rival =
      round % 2 === 0
        ? terminate(id, 1, other)
        : call(server, 'PATCH', `/employees/${id}`, { headers: other, body: { status: 'PAUSED', reason: 'At once', version: 1 } })
    const answers = await Promise.all([terminate(id), rival])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'stale-version', facts: { id, version: 2 } })
    expect((await get(`/employees/${id}/events`)).body.events).toHaveLength(1)
  }
})

test('sent twice under one key it happens once', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  const headers = { ...admin, 'idempotency-key': `twice-${id}` }
  const answers = await Promise.all([terminate(id, 1, headers), terminate(id, 1, headers)])
  expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
    [200, 2],
    [200, 2],
  ])
})

test('needs permission 18; without 17 the status is hidden in the response and afterwards', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  expect((await terminate(id, 1, await headersWith(2, 9, 17))).status).toBe(403)
  const blind = await headersWith(2, 18)
  const answer = await terminate(id, 1, blind)
  expect([answer.status, answer.body.status]).toEqual([200, null])
  expect(JSON.stringify(answer.body)).not.toMatch(/off-?cycle/i)
  expect(JSON.stringify((await get(`/employees/${id}/events`, blind)).body)).not.toMatch(/off-?cycle/i)
  // The audit still records it.
  expect((await get(`/employees/${id}/events`)).body.events[0].changes[0].after).toBe('OFFCYCLE_PAID')
  const again = await terminate(id, 2, blind)
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Restricted.'])
})

test('a person without access cannot find out that the employee exists', async () => {
  const { id } = await createEmployee(server.db, { employerId, linked: {} })
  const stranger = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: permissionIds, grants: [] })
  expect((await terminate(id, 1, await signInAs(server, stranger))).status).toBe(404)
})
