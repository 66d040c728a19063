import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, call, createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number
let configurationId: number

const everything = [1, 3, 4, 1002, 1003]
const inherited = {
  withdraw_limit_type: 'PERCENTAGE',
  withdraw_limit_amount: 4_000,
  single_withdraw_amount_max: 20_000,
  withdraw_amount_max: 50_000,
  transaction_fee: 299,
  requests_per_cycle: 2,
  daily_hours_limit: 16,
  timekeeping_approval_threshold: 1_200,
  ach_processing_days: 2,
  invoice_deadline: 3,
  invoice_net_days: 7,
}

const send = (method: string, path: string, body?: unknown, who = admin, key?: string): Promise<Answer> =>
  call(server, method, path, { headers: key ? { ...who.headers, 'idempotency-key': key } : who.headers, body })
const configurations = async (query: string, who = admin) => {
  const { status, body } = await send('GET', `/configurations?${query}`, undefined, who)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.configurations
}
const currentConfiguration = async (id = employerId) => (await configurations(`employer-id=${id}`))[0]
const own = (values: Record<string, unknown>, version = 1) =>
  send('POST', '/configurations', { employer_id: employerId, version, ...values })
const events = async (entity: string, id: number) =>
  (
    await sql<{ intent: string; status: string; before: object; after: object; version: number }>`
      select intent, status, before, after, version from audit_events where entity = ${entity} and entity_id = ${String(id)}
      order by id`.execute(server.db)
  ).rows

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, everything, 'Ada Admin')
})
afterAll(() => server.close())
let companies = 0
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
  const { ach_processing_days, invoice_deadline, invoice_net_days, ...values } = inherited
  await sql`insert into lms_configurations (organization_id, payment_method, split_invoices, show_amount_per_department_code,
    ach_processing_days, invoice_deadline, invoice_net_days) values (${organizationId}, 'AUTO_ACH', true, true,
    ${ach_processing_days}, ${invoice_deadline}, ${invoice_net_days})`.execute(server.owner)
  await sql`insert into deduction_configurations (organization_id, allowed_rollover_percentage, employee_identifier_type)
    values (${organizationId}, 500, 'EXTERNAL_TK_ID')`.execute(server.owner)
  const made = await server.owner
    .insertInto('configurations')
    .values({ organization_id: organizationId, employer_id: null, ...values, withdraw_limit_type: 'PERCENTAGE' })
    .returning('id')
    .executeTakeFirstOrThrow()
  configurationId = made.id
})

test('[API-062] [ENT-045] [ENT-046] [ENT-063] an employer inherits from its organization, and the response says so', async () => {
  const [employers, organizations] = await configurations(`employer-id=${employerId}&organization-id=${organizationId}`)
  expect(employers).toEqual({
    id: configurationId,
    level: 'ORGANIZATION',
    terms_level: 'ORGANIZATION',
    lms_configured: true,
    organization_id: organizationId,
    organization_name: `Harbor ${companies}`,
    employer_id: employerId,
    ...inherited,
    auto_ach: true,
    split_invoices: true,
    show_amount_per_department_code: true,
    allowed_rollover_percentage: 500,
    employee_identifier_type: 'EXTERNAL_TK_ID',
    partner_type: 'NONE',
    pay_codes: null,
    integrations_folder: null,
    version: 1,
  })
  expect(organizations).toEqual({ ...employers, employer_id: null })
  expect(await configurations('')).toEqual([])
})

test('[ENT-047] [ENT-048] [ENT-049] [ENT-050] auto_ach, split_invoices are of the LMS configuration, employer first', async () => {
  await sql`insert into lms_configurations (employer_id, payment_method, invoice_net_days) values (${employerId}, 'SELF_PAY', 9)`.execute(
    server.owner,
  )
  expect(await currentConfiguration()).toMatchObject({
    level: 'ORGANIZATION',
    terms_level: 'EMPLOYER',
    auto_ach: false,
    split_invoices: false,
    invoice_net_days: 9,
    single_withdraw_amount_max: 20_000,
    withdraw_amount_max: 50_000,
    transaction_fee: 299,
  })
  expect(await currentConfiguration(sister)).toMatchObject({ terms_level: 'ORGANIZATION', auto_ach: true, split_invoices: true })
})

test('[API-046] [CONST-011] without a configuration values are 0, and the legacy call returns the same', async () => {
  const { employerIds } = await createCompany(server.db, `Bare ${companies}`)
  const [bare] = employerIds as [number]
  const { status, body } = await send('GET', `/employers/${bare}/configurations`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: null,
    level: 'ORGANIZATION',
    withdraw_limit_amount: 0,
    withdraw_amount_max: 0,
    transaction_fee: 0,
    allowed_rollover_percentage: 0,
    version: 0,
  })
  expect(body).toEqual(await currentConfiguration(bare))
})

test('[API-063] include=bank adds active accounts with their last four digits, and needs read:billing', async () => {
  for (const [nickname, scope, status] of [
    ['Payroll', 'ORGANIZATION', 'ACTIVE'],
    ['Sister', 'EMPLOYERS', 'ACTIVE'],
    ['Old', 'ORGANIZATION', 'DELETED'],
  ])
    await sql`insert into billing_accounts (organization_id, name, nickname, account_number, routing_number, scope, status)
      values (${organizationId}, 'Harbor', ${nickname}, '000111222333', '121000248', ${scope}, ${status})`.execute(server.owner)
  await sql`insert into billing_account_employers (billing_account_id, employer_id)
    select id, ${sister} from billing_accounts where nickname = 'Sister' and organization_id = ${organizationId}`.execute(
    server.owner,
  )
  const nicknames = async (id: number) =>
    (await configurations(`employer-id=${id}&include=bank`))[0].accounts.map((account: { nickname: string }) => account.nickname)
  expect([await nicknames(employerId), await nicknames(sister)]).toEqual([['Payroll'], ['Payroll', 'Sister']])
  const { body } = await send('GET', `/configurations?employer-id=${employerId}&include=bank`)
  expect(body.configurations[0].accounts[0].account_number_last_four).toBe('2333')
  expect(JSON.stringify(body)).not.toMatch(/000111|121000248/)
  const without = await personWith(server, [3])
  expect((await send('GET', `/configurations?employer-id=${employerId}&include=bank`, undefined, without)).status).toBe(403)
  expect((await currentConfiguration())['accounts']).toBeUndefined()
})

test('[CFG-001] [API-067] [ENT-064] first own values copy the inherited ones, and end the inheritance', async () => {
  const { status, body } = await own({ transaction_fee: 399, timekeeping_approval_threshold: null, invoice_net_days: 10 })
  expect(status, JSON.stringify(body)).toBe(201)
  const changed = { ...inherited, transaction_fee: 399, timekeeping_approval_threshold: 0, invoice_net_days: 10 }
  expect(body).toMatchObject({ level: 'EMPLOYER', terms_level: 'EMPLOYER', employer_id: employerId, ...changed, version: 2 })
  expect(body.id).not.toBe(configurationId)
  expect(body).toMatchObject({ auto_ach: true, split_invoices: true, show_amount_per_department_code: true })
  // A later change by the organization only affects the sister.
  const put = await send('PUT', `/configurations/${configurationId}`, {
    requests_per_cycle: 9,
    ach_processing_days: 4,
    version: 1,
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  expect(await currentConfiguration()).toEqual(body)
  expect(await currentConfiguration(sister)).toMatchObject({
    level: 'ORGANIZATION',
    requests_per_cycle: 9,
    ach_processing_days: 4,
    version: 2,
  })
})

test('[CFG-002] the switch happens once: any second one is refused', async () => {
  const [one, other] = await Promise.all([own({ transaction_fee: 100 }), own({ transaction_fee: 200 })])
  expect([one.status, other.status].sort()).toEqual([201, 409])
  const [won, lost] = one.status === 201 ? [one, other] : [other, one]
  expect(lost.body).toMatchObject({
    code: 'stale-version',
    facts: { level: 'EMPLOYER', transaction_fee: won.body.transaction_fee },
  })
  const again = await own({ transaction_fee: 300 }, 2)
  expect(again.body).toMatchObject({ status: 409, code: 'already-configured' })
  const twice = await send('POST', '/configurations', { organization_id: organizationId, transaction_fee: 1, version: 1 })
  expect(twice.body).toMatchObject({ status: 409, code: 'already-configured' })
  expect(await currentConfiguration()).toMatchObject({ transaction_fee: won.body.transaction_fee, version: 2 })
  const kept = sql`delete from configurations where id = ${won.body.id}`.execute(server.db)
  await expect(kept).rejects.toThrow('permission denied')
})

test('[API-066] a change is in the audit once, and a stale one is refused', async () => {
  const made = await own({ transaction_fee: 100 })
  const path = `/configurations/${made.body.id}`
  const change = { transaction_fee: 250, withdraw_amount_max: null, version: 2 }
  const first = await send('PUT', path, change, admin, 'one key')
  expect(first.body).toMatchObject({ transaction_fee: 250, withdraw_amount_max: 0, requests_per_cycle: 2, version: 3 })
  const again = await send('PUT', path, change, admin, 'one key')
  expect([again.status, again.body]).toEqual([200, first.body])
  const stale = await send('PUT', path, change)
  expect(stale.body).toMatchObject({ status: 409, code: 'stale-version', facts: { transaction_fee: 250, version: 3 } })
  expect(await events('employer', employerId)).toMatchObject([
    {
      intent: 'configuration.create',
      before: { level: 'ORGANIZATION', transaction_fee: 299 },
      after: { level: 'EMPLOYER', transaction_fee: 100 },
      version: 2,
    },
    { intent: 'configuration.change', before: { transaction_fee: 100 }, after: { transaction_fee: 250 }, version: 3 },
  ])
})

test('the history names the withdraw limit with its unit', async () => {
  const { id } = (await own({ withdraw_limit_amount: 4_500 })).body
  await send('PUT', `/configurations/${id}`, { withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 6_000, version: 2 })
  const { body } = await send('GET', `/employers/${employerId}/history?limit=10`)
  const limits = body.events.map(({ changes }: { changes: { field: string; before: unknown; after: unknown }[] }) =>
    changes.flatMap(({ field, before, after }) => (field.startsWith('withdraw_limit') ? [`${field}: ${before} ${after}`] : [])),
  )
  expect(limits).toEqual([
    ['withdraw_limit_type: PERCENTAGE AMOUNT', 'withdraw_limit_percentage: 4500 null', 'withdraw_limit_dollars: null 6000'],
    ['withdraw_limit_percentage: 4000 4500'],
  ])
})

const wrong: [rows: string, values: Record<string, unknown>, field: string, message: string][] = [
  ...[
    'single_withdraw_amount_max',
    'withdraw_amount_max',
    'transaction_fee',
    'requests_per_cycle',
    'timekeeping_approval_threshold',
  ].map(
    (field) =>
      ['[CFG-003]', { [field]: 0 }, field, 'Must be greater than 0'] as [string, Record<string, unknown>, string, string],
  ),
  ['[CFG-004]', { withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 10_001 }, 'withdraw_limit_amount', 'At most $100.00'],
  ['[CFG-005]', { timekeeping_approval_threshold: 10_001 }, 'timekeeping_approval_threshold', 'At most 100%'],
  ['[CFG-006]', { daily_hours_limit: 25 }, 'daily_hours_limit', 'At most 24'],
  ['[CFG-007]', { transaction_fee: 2_001 }, 'transaction_fee', 'At most $20.00'],
  ['[CFG-003]', { withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 0 }, 'withdraw_limit_amount', 'Must be greater than 0'],
  // In the words of the form.
  ['[CFG-008]', { withdraw_limit_amount: 0 }, 'withdraw_limit_amount', 'Must be above 0% and below 50%'],
  ['[CFG-008]', { withdraw_limit_amount: -1 }, 'withdraw_limit_amount', 'Must be above 0% and below 50%'],
  ['[CFG-009]', { withdraw_limit_amount: 5_000 }, 'withdraw_limit_amount', 'Must be above 0% and below 50%'],
  ['[CFG-010]', { ach_processing_days: 0 }, 'ach_processing_days', 'Must be greater than 0'],
  ['[CFG-011]', { daily_hours_limit: 0 }, 'daily_hours_limit', 'Must be greater than 0'],
  ['[CFG-012]', { invoice_deadline: 0 }, 'invoice_deadline', 'Must be greater than 0'],
  ['[CFG-013]', { invoice_net_days: 0 }, 'invoice_net_days', 'Must be greater than 0'],
  ['[CFG-017]', { withdraw_amount_max: 300_001 }, 'withdraw_amount_max', 'At most $3,000.00'],
  ['an amount of the other type', { withdraw_limit_type: 'AMOUNT' }, 'withdraw_limit_amount', 'This is a required field.'],
]
test.each(wrong)('%s %j is refused beside its field', async (_, values, field, message) => {
  expect(messagesOf(await own(values))).toEqual({ status: 422, [field]: message })
  const put = await send('PUT', `/configurations/${configurationId}`, { ...values, version: 1 })
  expect(messagesOf(put)).toEqual({ status: 422, [field]: message })
  expect(await currentConfiguration()).toMatchObject({ level: 'ORGANIZATION', version: 1 })
})

test('[ENT-045] a limit is a percentage or an amount, and nothing else', async () => {
  const { status, body } = await own({ withdraw_limit_type: 'SHARE', withdraw_limit_amount: 100 })
  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([422, ['withdraw_limit_type']])
})

test.each([
  ['[CFG-009]', { withdraw_limit_amount: 4_999 }],
  ['[ENT-045] [CFG-004]', { withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 10_000 }],
  ['[CFG-005]', { timekeeping_approval_threshold: 10_000 }],
  ['[CFG-006]', { daily_hours_limit: 24 }],
  ['[CFG-007]', { transaction_fee: 2_000 }],
  ['[CFG-017]', { single_withdraw_amount_max: 300_000, withdraw_amount_max: 300_000 }],
])('%s the maximum of %j is accepted', async (_, values) => {
  expect((await own(values)).body).toMatchObject(values)
  expect((await send('PUT', `/configurations/${configurationId}`, { ...values, version: 1 })).body).toMatchObject(values)
})

test('employer and organization levels need their own rights, and exactly one is named', async () => {
  const employers = await personWith(server, [3, 1002])
  const organizations = await personWith(server, [4, 1003])
  const make = (who: SignedIn) =>
    send('POST', '/configurations', { employer_id: employerId, transaction_fee: 1, version: 1 }, who)
  const change = (who: SignedIn) => send('PUT', `/configurations/${configurationId}`, { transaction_fee: 2, version: 1 }, who)
  expect([(await make(organizations)).status, (await change(employers)).status]).toEqual([403, 403])
  expect([(await make(employers)).status, (await change(organizations)).status]).toEqual([201, 200])
  for (const owner of [{}, { employer_id: sister, organization_id: organizationId }])
    expect((await send('POST', '/configurations', { ...owner, version: 1 })).status).toBe(422)
})

test("[PERM-003] an account manager of one employer changes its configuration, not the organization's", async () => {
  const maya = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: everything, grants: [{ employerId }] })
  const who = { headers: await signInAs(server, maya), id: maya.id, name: maya.name }
  expect((await configurations(`employer-id=${employerId}`, who))[0]).toMatchObject(inherited)
  for (const [method, path, body] of [
    ['GET', `/configurations?employer-id=${sister}`],
    ['GET', `/configurations?organization-id=${organizationId}`],
    ['GET', `/employers/${sister}/configurations`],
    ['PUT', `/configurations/${configurationId}`, { transaction_fee: 1, version: 1 }],
    ['POST', '/configurations', { employer_id: sister, transaction_fee: 1, version: 1 }],
  ] as const)
    expect([path, (await send(method, path, body, who)).status]).toEqual([path, 404])
  expect((await send('POST', '/configurations', { employer_id: employerId, transaction_fee: 1, version: 1 }, who)).status).toBe(
    201,
  )
})

test('[API-064] [API-068] [ENT-050] [ENT-062] billing settings belong to their level, and are changed by its id', async () => {
  const lms = async (id: number, who = admin) => (await send('GET', `/configurations/lms/${id}`, undefined, who)).body
  const inheritedTerms = await lms(employerId)
  expect(inheritedTerms).toMatchObject({
    level: 'ORGANIZATION',
    employer_id: employerId,
    payment_method: 'AUTO_ACH',
    split_invoices: true,
    show_amount_per_department_code: true,
    invoice_net_days: 7,
    version: 1,
  })
  await own({ transaction_fee: 100 })
  const mine = await lms(employerId)
  expect(mine).toMatchObject({ level: 'EMPLOYER', payment_method: 'AUTO_ACH', split_invoices: true })
  const path = `/configurations/lms/${mine.id}`
  const change = { payment_method: 'SELF_PAY', split_invoices: false, version: mine.version }
  const organizations = await personWith(server, [4, 1003])
  expect((await send('PUT', path, change, organizations)).status).toBe(403)
  expect((await send('PUT', path, { ...change, payment_method: 'CHEQUE' })).status).toBe(422)
  const put = await send('PUT', path, change)
  expect(put.body).toMatchObject({ payment_method: 'SELF_PAY', split_invoices: false, show_amount_per_department_code: true })
  expect((await send('PUT', path, change)).body).toMatchObject({ status: 409, code: 'stale-version', facts: put.body })
  expect(await currentConfiguration()).toMatchObject({
    auto_ach: false,
    split_invoices: false,
    show_amount_per_department_code: true,
  })
  expect(await lms(sister)).toEqual({ ...inheritedTerms, employer_id: sister })
  expect((await events('employer', employerId)).at(-1)).toMatchObject({
    intent: 'configuration.change-lms',
    before: { payment_method: 'AUTO_ACH' },
    after: { payment_method: 'SELF_PAY' },
  })
  const hidden = await send('PUT', path, { show_amount_per_department_code: false, version: put.body.version })
  expect(hidden.body).toMatchObject({ payment_method: 'SELF_PAY', show_amount_per_department_code: false })
  expect(await currentConfiguration()).toMatchObject({ show_amount_per_department_code: false })
  const maya = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: everything,
    grants: [{ employerId: sister }],
  })
  const who = { headers: await signInAs(server, maya), id: maya.id, name: maya.name }
  expect((await send('GET', `/configurations/lms/${employerId}`, undefined, who)).status).toBe(404)
  expect((await send('PUT', path, change, who)).status).toBe(404)
})
