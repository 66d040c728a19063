import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createBillingAccount } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 3, 4, 1001], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

const account = (more: Record<string, unknown> = {}) => ({
  organization_id: organizationId,
  name: 'Harbor Foods Inc',
  nickname: 'Payroll',
  account_number: '000123456789',
  routing_number: '121000248',
  scope: 'ORGANIZATION',
  ...more,
})
const listed = async (who = admin) =>
  (await good('GET', `/billing-accounts?organization-id=${organizationId}`, undefined, who)).billing_accounts
const history = async () => (await good('GET', `/organizations/${organizationId}/history`)).events

test('[ENT-120] [ENT-123] [ERR-043] [VAL-004] has name, number, nickname; answers show only the last four digits', async () => {
  const made = await good('POST', '/billing-accounts', account({ bank_name: 'Harbor Bank', ach_code: 'HB00000001' }))
  expect(made).toMatchObject({
    organization_id: organizationId,
    name: 'Harbor Foods Inc',
    nickname: 'Payroll',
    bank_name: 'Harbor Bank',
    account_number_last_four: '6789',
    routing_number: '121000248',
    status: 'ACTIVE',
    in_flight_count: 0,
    version: 1,
  })
  expect(await listed()).toEqual([made])
  expect(await good('GET', `/billing-accounts/${made.id}`)).toEqual(made)
  const [event] = await history()
  expect(event).toMatchObject({ status: 'Billing account created', actor: { name: 'Ada Admin' }, text: 'Payroll ••••6789' })
  expect(JSON.stringify([made, await history()])).not.toContain('000123456789')
})

test('[ENT-122] the ACH code is optional and can be cleared', async () => {
  const made = await good('POST', '/billing-accounts', account({ ach_code: 'ACH0042' }))
  expect(made.ach_code).toBe('ACH0042')
  const { organization_id: _, account_number: __, ...values } = account()
  const cleared = await good('PUT', `/billing-accounts/${made.id}`, { ...values, version: 1 })
  expect([cleared.ach_code, cleared.account_number_last_four]).toEqual([null, '6789'])
})

test('[ENT-124] is for the whole organization or for some of its own employers', async () => {
  const made = await good('POST', '/billing-accounts', account({ scope: 'EMPLOYERS', employer_ids: [employerId, sister] }))
  expect(made).toMatchObject({ scope: 'EMPLOYERS', employers: [{ id: employerId }, { id: sister }] })
  const elsewhere = (await createCompany(server.db, 'Elsewhere')).employerIds[0]
  const other = { account_number: '998877' }
  expect(refusedFields(await send('POST', '/billing-accounts', account({ ...other, scope: 'EMPLOYERS' })))).toEqual({
    employer_ids: 'This is a required field.',
  })
  expect(
    refusedFields(await send('POST', '/billing-accounts', account({ ...other, scope: 'EMPLOYERS', employer_ids: [elsewhere] }))),
  ).toEqual({ employer_ids: 'Choose employers of this organization.' })
  // The configuration lists the accounts that are debited for an employer.
  const bank = async (id: number) =>
    (await good('GET', `/configurations?employer-id=${id}&include=bank`)).configurations[0].accounts.map(
      (one: { id: number }) => one.id,
    )
  expect(await bank(employerId)).toEqual([made.id])
  const { organization_id: _, ...values } = account({ scope: 'EMPLOYERS', employer_ids: [sister] })
  await good('PUT', `/billing-accounts/${made.id}`, { ...values, version: 1 })
  expect([await bank(employerId), await bank(sister)]).toEqual([[], [made.id]])
  expect((await listed()).length).toBe(1)
})

test('[VAL-004] [ERR-044] [ERR-045] changes and deletion are in the history; a deleted one is listed, not debited', async () => {
  const made = await good('POST', '/billing-accounts', account())
  const { organization_id: _, ...values } = account({ nickname: 'Reserve', account_number: '55554321' })
  const after = await good('PUT', `/billing-accounts/${made.id}`, { ...values, version: 1 })
  expect(after).toMatchObject({ nickname: 'Reserve', account_number_last_four: '4321', version: 2 })
  const deleted = await good('DELETE', `/billing-accounts/${made.id}?version=2`, {})
  expect(deleted).toMatchObject({ status: 'DELETED', version: 3 })
  expect(await listed()).toEqual([deleted])
  expect((await history()).map(({ status, text }: { status: string; text: string }) => [status, text])).toEqual([
    ['Billing account deleted', 'Reserve ••••4321'],
    ['Billing account updated', 'Reserve ••••4321\nThe account number was changed.'],
    ['Billing account created', 'Payroll ••••6789'],
  ])
  const { configurations } = await good('GET', `/configurations?organization-id=${organizationId}&include=bank`)
  expect(configurations[0].accounts).toEqual([])
  const again = await send('DELETE', `/billing-accounts/${made.id}?version=3`, {})
  expect([again.status, again.body.detail]).toEqual([409, 'Actions unavailable when in Deleted.'])
})

test('[VAL-005] missing fields are reported beside them, and nothing is stored', async () => {
  expect(refusedFields(await send('POST', '/billing-accounts', { organization_id: organizationId }))).toEqual({
    name: 'This is a required field.',
    nickname: 'This is a required field.',
    scope: 'This is a required field.',
    routing_number: 'This is a required field.',
    account_number: 'This is a required field.',
  })
  expect(await listed()).toEqual([])
})

test('[VAL-006] too long fields are reported beside them', async () => {
  const wrong = account({
    name: 'x'.repeat(101),
    nickname: 'x'.repeat(61),
    bank_name: 'x'.repeat(101),
    ach_code: 'x'.repeat(21),
    account_number: '1'.repeat(18),
    routing_number: '1210002480',
  })
  expect(refusedFields(await send('POST', '/billing-accounts', wrong))).toEqual({
    name: 'At most 100 characters',
    nickname: 'At most 60 characters',
    bank_name: 'At most 100 characters',
    ach_code: 'At most 20 characters',
    account_number: 'An account number has 4 to 17 digits.',
    routing_number: 'A routing number has 9 digits.',
  })
})

test.each([
  ['021000022', 'The check digit does not fit: a digit of this routing number is wrong.'],
  ['123456789', 'The check digit does not fit: a digit of this routing number is wrong.'],
  ['991000248', 'There is no such routing number.'],
  ['000000000', 'There is no such routing number.'],
  ['12100024', 'A routing number has 9 digits.'],
  ['12100024x', 'A routing number has 9 digits.'],
])('[ENT-121] the routing number %s is refused', async (routing_number, message) => {
  expect(refusedFields(await send('POST', '/billing-accounts', account({ routing_number })))).toEqual({ routing_number: message })
})

test('a duplicate account is refused, until the first one is deleted', async () => {
  const made = await good('POST', '/billing-accounts', account())
  expect(refusedFields(await send('POST', '/billing-accounts', account({ nickname: 'Again' })))).toEqual({
    account_number: 'This organization has this account already.',
  })
  await good('DELETE', `/billing-accounts/${made.id}?version=1`, {})
  await good('POST', '/billing-accounts', account({ nickname: 'Again' }))
  const twice = await Promise.all([1, 2].map(() => send('POST', '/billing-accounts', account({ account_number: '777666' }))))
  expect(twice.map(({ status }) => status).sort()).toEqual([201, 422])
})

test('a change names the version that was seen; of two concurrent ones the second is refused', async () => {
  const made = await good('POST', '/billing-accounts', account())
  const { organization_id: _, account_number: __, ...values } = account()
  const missing = await send('PUT', `/billing-accounts/${made.id}`, values)
  expect([missing.status, missing.body.errors[0].path]).toEqual([422, 'version'])
  const both = await Promise.all(
    ['One', 'Two'].map((nickname) => send('PUT', `/billing-accounts/${made.id}`, { ...values, nickname, version: 1 })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'stale-version',
    facts: { id: made.id, version: 2 },
  })
})

test('sent twice under one key it is added once', async () => {
  const headers = { ...admin.headers, 'idempotency-key': `twice-${organizationId}` }
  const twice = await Promise.all([1, 2].map(() => call(server, 'POST', '/billing-accounts', { headers, body: account() })))
  expect(twice.map(({ status }) => status)).toEqual([201, 201])
  expect(twice[0]?.body).toEqual(twice[1]?.body)
  expect(await listed()).toHaveLength(1)
})

test('a debit in flight keeps its account, also after the account is deleted', async () => {
  const made = await good('POST', '/billing-accounts', account({ bank_name: 'Harbor Bank' }))
  await setToday(server.db, '2026-03-02')
  const bank = bankOf(server.db)
  const { repaymentId, trace } = await debitedInvoice(server.db, bank, employerId)
  expect((await good('GET', `/billing-accounts/${made.id}`)).in_flight_count).toBe(1)
  await good('DELETE', `/billing-accounts/${made.id}?version=1`, {})
  const repayment = async () => good('GET', `/repayments/${repaymentId}`)
  expect(await repayment()).toMatchObject({ bank_name: 'Harbor Bank', account_number: '••••6789', ach_state: 'PENDING' })
  await bank.says({ trace, code: 'SETTLED', amount: 100_00 })
  expect(await repayment()).toMatchObject({ bank_name: 'Harbor Bank', account_number: '••••6789', ach_state: 'COMPLETED' })
  expect(await good('GET', `/billing-accounts/${made.id}`)).toMatchObject({ status: 'DELETED', in_flight_count: 0 })
})

test('the list is filtered, searched, sorted and counted', async () => {
  await createBillingAccount(server.db, { organizationId, accountNumber: '11112222', employerIds: [employerId] })
  await createBillingAccount(server.db, { organizationId, accountNumber: '33334444', status: 'DELETED' })
  await good('POST', '/billing-accounts', account())
  const last = async (query: string) =>
    (await good('GET', `/billing-accounts?organization-id=${organizationId}&${query}`)).billing_accounts.map(
      (one: { account_number_last_four: string }) => one.account_number_last_four,
    )
  expect(await last('')).toEqual(['2222', '6789', '4444'])
  expect(await last('status=DELETED')).toEqual(['4444'])
  expect(await last('scope-not=ORGANIZATION')).toEqual(['2222'])
  expect(await last('q=payroll')).toEqual(['6789'])
  expect(await last('sort=nickname&sort-order=desc')).toEqual(['6789', '4444', '2222'])
  expect(await good('GET', `/billing-accounts/count?organization-id=${organizationId}&status=ACTIVE`)).toEqual({
    count: 2,
    exact: true,
  })
  const first = await good('GET', `/billing-accounts?organization-id=${organizationId}&limit=2`)
  expect((await last(`limit=2&lek=${first.lek}`)).concat(first.billing_accounts.length)).toEqual(['4444', 2])
})

test('reading needs read:billing, changing write:billing, both a grant of the organization', async () => {
  const made = await good('POST', '/billing-accounts', account())
  const { organization_id: _, ...values } = account({ version: 1 })
  const reader = await personWith(server, [1, 4])
  expect(await listed(reader)).toHaveLength(1)
  for (const [method, path, body] of [
    ['POST', '/billing-accounts', account({ account_number: '4545' })],
    ['PUT', `/billing-accounts/${made.id}`, values],
    ['DELETE', `/billing-accounts/${made.id}?version=1`, {}],
  ] as const)
    expect((await send(method, path, body, reader)).status).toBe(403)
  const unbilled = await personWith(server, [3, 4, 1001])
  expect((await send('GET', '/billing-accounts', undefined, unbilled)).status).toBe(403)
  expect((await good('GET', `/organizations/${organizationId}/history`, undefined, unbilled)).events).toEqual([])
  expect(await history()).toHaveLength(1)

  const managerOf = async (grant: { employerId: number } | { organizationId: number }) => {
    const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 3, 4, 1001], grants: [grant] })
    return { ...admin, headers: await signInAs(server, person) }
  }
  const ofEmployer = await managerOf({ employerId })
  expect(await listed(ofEmployer)).toEqual([])
  expect((await good('GET', '/billing-accounts/count', undefined, ofEmployer)).count).toBe(0)
  expect((await send('GET', `/billing-accounts/${made.id}`, undefined, ofEmployer)).status).toBe(404)
  expect((await send('POST', '/billing-accounts', account({ account_number: '4545' }), ofEmployer)).status).toBe(404)
  expect((await send('PUT', `/billing-accounts/${made.id}`, values, ofEmployer)).status).toBe(404)
  expect((await send('DELETE', `/billing-accounts/${made.id}?version=1`, {}, ofEmployer)).status).toBe(404)
  const whole = await managerOf({ organizationId })
  expect(await listed(whole)).toEqual([made])
  await good('DELETE', `/billing-accounts/${made.id}?version=1`, {}, whole)
})
