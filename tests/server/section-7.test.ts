import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let organizationId: number
let employerIds: number[]
let person: { id: number; userId: number }

beforeAll(async () => {
  server = await createServer()
  ;({ organizationId, employerIds } = await createCompany(server.db, 'Harbor', 2))
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
  const made = await createEmployee(server.db, { employerId: employerIds[0] as number, linked: {} })
  person = { id: made.id, userId: made.userId as number }
})
afterAll(() => server.close())

const send = (method: string, path: string, body: unknown) => call(server, method, path, { headers: admin, body })
const good = async (method: string, path: string, body: unknown) => {
  const answer = await send(method, path, body)
  expect([200, 201], `${method} ${path}: ${answer.body?.detail}`).toContain(answer.status)
  return answer.body
}

// Bodies as in section 7 of the specification, which has no versions.
test('[API-109] [API-112] an employee is changed by bodies without a version', async () => {
  await good('PATCH', `/employees/${person.id}`, { status: 'PAUSED', reason: 'Leave' })
  await good('PATCH', `/employees/${person.id}`, { status: 'ACTIVE' })
  await good('PATCH', `/employees/${person.id}/off-cycle-paid`, { off_cycle_paid: true })
})

test('[API-039] [API-041] an employer is changed and onboarded by bodies without a version', async () => {
  const [id] = employerIds
  const { body: employer } = await call(server, 'GET', `/employers/${id}`, { headers: admin })
  const { internal_name, external_name, external_code, brand, direct_customer, go_live_date } = employer
  const values = { internal_name, external_name, external_code, brand, direct_customer, go_live_date }
  const refused = await send('PUT', `/employers/${id}`, { ...values, external_name: '' })
  expect([refused.status, refused.body.detail]).toEqual([422, 'external_name: This is a required field.'])
  await good('PUT', `/employers/${id}`, { ...values, external_name: 'Harbor Foods' })
  await good('PATCH', `/employers/${id}/onboarded`, { onboarded: true })
})

test('[API-132] [API-129] a user is changed by bodies without a version', async () => {
  await good('PUT', `/users/${person.userId}/force-password-change`, { force_password: true })
  await good('PATCH', `/users/${person.userId}/names`, { first_name: 'Ana', last_name: 'Silva' })
})

test('[API-066] [API-067] [API-068] configurations are saved by bodies without a version', async () => {
  const [id] = employerIds
  const made = await good('POST', '/configurations', { employer_id: id, transaction_fee: 299 })
  await good('PUT', `/configurations/${made.id}`, { transaction_fee: 399 })
  await good('POST', '/configurations', { organization_id: organizationId, invoice_net_days: 7 })
  const { body: lms } = await call(server, 'GET', `/configurations/lms/${id}`, { headers: admin })
  const saved = await good('PUT', `/configurations/lms/${lms.id}`, {
    payment_method: 'SELF_PAY',
    split_invoices: true,
    show_amount_per_department_code: true,
  })
  expect(saved).toMatchObject({ payment_method: 'SELF_PAY', split_invoices: true, show_amount_per_department_code: true })
})

test('[API-069] an EMS configuration is saved by a body with the employer and its organization', async () => {
  const [id = 0] = employerIds
  const link = { link_type: 'REDIRECT', partner_external_url: 'https://partner.example' }
  for (const owner of [
    { employer_id: id, organization_id: organizationId },
    { employer_id: id, organization_id: null },
  ])
    expect(await good('POST', '/configurations/ems', { ...owner, ...link })).toMatchObject({ level: 'EMPLOYER', employer_id: id })
  const whole = await good('POST', '/configurations/ems', { employer_id: null, organization_id: organizationId, ...link })
  expect(whole).toMatchObject({ level: 'ORGANIZATION', employer_id: null, ...link })
  const other = await createCompany(server.db, 'Elsewhere')
  const mixed = await send('POST', '/configurations/ems', { employer_id: id, organization_id: other.organizationId, ...link })
  expect([mixed.status, mixed.body.detail]).toEqual([422, 'This employer belongs to another organization.'])
  const none = await send('POST', '/configurations/ems', { employer_id: null, organization_id: null, ...link })
  expect([none.status, none.body.detail]).toEqual([422, 'Name an organization or an employer.'])
})

test('[API-069] [API-071] EMS and deduction configurations are saved by bodies without a version', async () => {
  const [id] = employerIds
  await good('POST', '/configurations/ems', { employer_id: id, link_type: 'NONE' })
  const deductions = await good('POST', '/deductions/configurations', { employer_id: id, allowed_rollover_percentage: 500 })
  await good('PUT', `/deductions/configurations/${deductions.id}`, { allowed_rollover_percentage: 600 })
})

test('a stale version is still refused, and the sentence names a missing field, too', async () => {
  const { id } = await createEmployee(server.db, { employerId: employerIds[0] as number, linked: {} })
  const stale = await send('PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'Leave', version: 99 })
  expect([stale.status, stale.body.code]).toEqual([409, 'stale-version'])
  const missing = await send('PATCH', `/employees/${id}`, { status: 'PAUSED' })
  expect([missing.status, missing.body.detail, missing.body.errors]).toEqual([
    422,
    'reason: This is a required field.',
    [{ path: 'reason', message: 'This is a required field.' }],
  ])
})
