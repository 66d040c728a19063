import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { asking } from '#tests/support/asking.ts'
import { createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

const today = '2026-06-15'
let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number

const { send } = asking(
  () => server,
  () => admin,
)
const configurationOf = async (path: string, query: string, who = admin) =>
  (await send('GET', `${path}?${query}`, undefined, who)).body.configurations
const ofEmployer = () => `employer-id=${employerId}`
const ofOrganization = () => `organization-id=${organizationId}`
const given = async (path: string, values: object) => {
  const { status, body } = await send('POST', path, { organization_id: organizationId, version: 0, ...values })
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return body
}
const historyOf = async (entity: string, id: number) =>
  (
    await sql<{
      status: string
    }>`select status from audit_events where entity = ${entity} and entity_id = ${String(id)} order by id`.execute(server.db)
  ).rows.map(({ status }) => status)

beforeAll(async () => {
  server = await createServer()
  await setToday(server.owner, today)
  admin = await personWith(server, [1, 2, 3, 4, 15, 1001, 1002, 1003], 'Ada Admin')
})
afterAll(() => server.close())
let companies = 0
beforeEach(async () => {
  const company = await createCompany(server.db, `Bay ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

const organizationValues = {
  allowed_rollover_percentage: 800,
  employee_identifier_type: 'EXTERNAL_TK_ID',
  should_send_empty_ewa_file: true,
}

test('[API-070] [ENT-065] [ENT-069] a deduction configuration of an organization applies to its employers', async () => {
  const made = await given('/deductions/configurations', organizationValues)
  expect(made).toMatchObject({ level: 'ORGANIZATION', employer_id: null, allowed_rollover_percentage: 800, version: 1 })
  expect(await configurationOf('/deductions/configurations', `${ofEmployer()}&${ofOrganization()}`)).toEqual([
    { ...made, employer_id: employerId },
    made,
  ])
  expect(made.employee_identifier_type).toBe('EXTERNAL_TK_ID')
})

test('[API-071] [CONST-004] an employer keeps its own deduction configuration', async () => {
  const made = await given('/deductions/configurations', organizationValues)
  const own = await send('POST', '/deductions/configurations', {
    employer_id: employerId,
    auto_approve_ewa_file: true,
    version: 1,
  })
  expect(own).toMatchObject({
    status: 201,
    body: {
      ...organizationValues,
      level: 'EMPLOYER',
      auto_approve_ewa_file: true,
      version: 2,
    },
  })
  // Later changes by the organization do not affect the employer.
  await send('PUT', `/deductions/configurations/${made.id}`, { allowed_rollover_percentage: 100, version: 1 })
  const [theirs] = await configurationOf('/deductions/configurations', ofEmployer())
  expect(theirs.allowed_rollover_percentage).toBe(800)
  expect((await configurationOf('/deductions/configurations', `employer-id=${sister}`))[0]).toMatchObject({
    level: 'ORGANIZATION',
    allowed_rollover_percentage: 100,
  })
  expect(await send('POST', '/deductions/configurations', { employer_id: employerId, version: 2 })).toMatchObject({
    status: 409,
    body: { code: 'already-configured' },
  })
  expect(await historyOf('employer', employerId)).toEqual(['Deduction configuration created'])
})

test('[API-072] [ENT-066, ENT-067, ENT-068] each value can be changed separately, with the version that was seen', async () => {
  const { id } = await given('/deductions/configurations', {})
  const put = (values: object, version: number) => send('PUT', `/deductions/configurations/${id}`, { ...values, version })
  const values = { should_send_ewa_file: false, should_send_empty_ewa_file: true, auto_approve_ewa_file: true }
  expect((await put(values, 1)).body).toMatchObject({ ...values, version: 2 })
  expect((await put({ real_time_deductions: true }, 1)).status).toBe(409)
})

test('[ENT-070, ENT-071, ENT-072, ENT-073] it also has confirmations, the EWA e-mail and real-time deductions', async () => {
  const { id } = await given('/deductions/configurations', {})
  const values = {
    split_confirmation_file: true,
    receives_confirmations: true,
    receive_multiple_confirmations: true,
    send_ewa_email: true,
    real_time_deductions: true,
  }
  expect((await send('PUT', `/deductions/configurations/${id}`, { ...values, version: 1 })).body).toMatchObject(values)
  expect((await configurationOf('/deductions/configurations', ofEmployer()))[0]).toMatchObject(values)
})

test('auto-approval and confirmation flow apply to the next invoice', async () => {
  await given('/deductions/configurations', { auto_approve_ewa_file: true, receives_confirmations: true })
  await createInvoice(server.owner, {
    employerId,
    status: 'DRAFT',
    companyCode: 'C-1',
    periodStart: '2026-06-01',
    periodEnd: '2026-06-07',
    reportDate: today,
    lines: [],
  })
  await moveInvoices({ db: server.db }, { processor: null })
  const { rows } = await sql<{ auto: boolean; flow: string }>`select auto_approve_ewa_file as auto, confirmation_flow as flow
    from invoices where employer_id = ${employerId} and status = 'DRAFT' limit 1`.execute(server.db)
  expect(rows).toEqual([{ auto: true, flow: 'SINGLE' }])
})

test('[CFG-014] [ENT-052] [ENT-053] the rollover is at most 10%, tested at the boundary, and is in the configuration', async () => {
  for (const [points, message] of [
    [1_001, 'At most 10%'],
    [-1, 'Must not be less than 0'],
  ] as const)
    expect(
      messagesOf(
        await send('POST', '/deductions/configurations', {
          organization_id: organizationId,
          allowed_rollover_percentage: points,
          version: 0,
        }),
      ),
    ).toEqual({ status: 422, allowed_rollover_percentage: message })
  await given('/deductions/configurations', {
    allowed_rollover_percentage: 1_000,
    employee_identifier_type: 'SECONDARY_EXTERNAL_TK_ID',
  })
  expect((await configurationOf('/configurations', ofEmployer()))[0]).toMatchObject({
    allowed_rollover_percentage: 1_000,
    employee_identifier_type: 'SECONDARY_EXTERNAL_TK_ID',
  })
})

test('[CFG-015] [CFG-016] [ENT-058] the integrations folder has at most 50 characters, unique to one organization', async () => {
  const put = (folder: string | null) => send('PUT', `/configurations/${id}`, { integrations_folder: folder, version: version++ })
  const { id } = await given('/configurations', { integrations_folder: 'a'.repeat(50) })
  let version = 1
  expect((await configurationOf('/configurations', ofEmployer()))[0].integrations_folder).toBe('a'.repeat(50))
  const refused = async (folder: string, message: string) => {
    expect(messagesOf(await put(folder))).toEqual({ status: 422, integrations_folder: message })
    version -= 1
  }
  await refused('a'.repeat(51), 'At most 50 characters')
  for (const wrong of ['bay area', 'bay.area', 'báy', '../bay', 'bay/area'])
    await refused(wrong, 'Only letters, numbers, _ or -, and no spaces')
  expect((await put('Bay_Area-1')).body.integrations_folder).toBe('Bay_Area-1')
  const other = await createCompany(server.db, `Gulf ${companies}`, 1)
  expect(
    messagesOf(
      await send('POST', '/configurations', {
        organization_id: other.organizationId,
        integrations_folder: 'bay_area-1',
        version: 0,
      }),
    ),
  ).toEqual({ status: 422, integrations_folder: 'Another organization has this folder.' })
  expect(
    messagesOf(await send('POST', '/configurations', { employer_id: employerId, integrations_folder: 'mine', version })),
  ).toEqual({
    status: 422,
    integrations_folder: 'The integrations folder belongs to the organization.',
  })
  expect((await put(null)).body.integrations_folder).toBeNull()
  expect((await put('bay')).body.integrations_folder).toBe('bay')
  await sql`insert into sftp_users (organization_id, username, password_hash, created_by, created_by_name)
    values (${organizationId}, ${`bay${companies}`}, 'x', 'x', 'x')`.execute(server.owner)
  await refused('other', 'Files arrive in this folder already, so it stays.')
})

test('saving only the integrations folder leaves unset invoice terms unset', async () => {
  const { id } = await given('/configurations', { integrations_folder: `only-${companies}` })
  const isSet = async () => (await configurationOf('/configurations', ofEmployer()))[0].lms_configured
  expect(await isSet()).toBe(false)
  await send('PUT', `/configurations/${id}`, { integrations_folder: `other-${companies}`, version: 1 })
  expect(await isSet()).toBe(false)
  await send('PUT', `/configurations/${id}`, { transaction_fee: 99, version: 2 })
  expect(await isSet()).toBe(true)
})

test('[VAL-015] [ENT-057] pay codes need at least one item, and the partner type is one of four', async () => {
  const post = (values: object) => send('POST', '/configurations', { organization_id: organizationId, version: 0, ...values })
  expect(messagesOf(await post({ pay_codes: [] }))).toEqual({ status: 422, pay_codes: 'At least one item is required.' })
  expect((await post({ partner_type: 'FRIEND' })).status).toBe(422)
  expect((await post({ pay_codes: ['REG', 'OT'], partner_type: 'EMS' })).body).toMatchObject({
    pay_codes: ['REG', 'OT'],
    partner_type: 'EMS',
  })
  const own = await send('POST', '/configurations', { employer_id: employerId, pay_codes: null, version: 1 })
  expect(own.body).toMatchObject({ level: 'EMPLOYER', pay_codes: null, partner_type: 'EMS' })
})

test('[ENT-051] [ENT-054] [ENT-055] [ENT-056] the terms of a configuration are saved and apply to the employers', async () => {
  await given('/configurations', {
    split_invoices: true,
    daily_hours_limit: 10,
    requests_per_cycle: 3,
    timekeeping_approval_threshold: 2_000,
    payment_method: 'AUTO_ACH',
  })
  expect((await configurationOf('/configurations', ofEmployer()))[0]).toMatchObject({
    split_invoices: true,
    auto_ach: true,
    daily_hours_limit: 10,
    requests_per_cycle: 3,
    timekeeping_approval_threshold: 2_000,
  })
  expect((await send('GET', `/configurations/lms/${employerId}`)).body).toMatchObject({
    payment_method: 'AUTO_ACH',
    split_invoices: true,
  })
})

test('[ENT-059] [ENT-060] [ENT-061] processing days, deadline and net days set the dates of the next invoice', async () => {
  await given('/configurations', { ach_processing_days: 3, invoice_deadline: 4, invoice_net_days: 9 })
  expect((await configurationOf('/configurations', ofEmployer()))[0]).toMatchObject({
    ach_processing_days: 3,
    invoice_deadline: 4,
    invoice_net_days: 9,
  })
  await sql`insert into pay_groups (employer_id, name, external_code, payroll_frequency, adjustment_type, first_start_date, first_end_date,
    first_report_date, first_payment_date) values (${employerId}, 'Crew', 'CR', 'WEEKLY', 'SAME_DAY', '2026-06-15', '2026-06-21', '2026-06-23',
    '2026-06-26')`.execute(server.owner)
  await moveInvoices({ db: server.db }, { processor: null })
  const { rows } = await sql<{
    due_date: string
  }>`select due_date from invoices where employer_id = ${employerId} order by period_start
    limit 1`.execute(server.db)
  expect(rows).toEqual([{ due_date: '2026-07-02' }])
})

test('[API-065] [API-069] the partner link is inherited until the employer has one, and required unless NONE', async () => {
  const save = (body: object) => send('POST', '/configurations/ems', body)
  const read = async (id = employerId) => (await send('GET', `/configurations/ems/${id}`)).body
  expect(await read()).toMatchObject({
    id: null,
    level: 'ORGANIZATION',
    link_type: 'NONE',
    partner_external_url: null,
    version: 0,
  })
  for (const [url, message] of [
    [undefined, 'This is a required field.'],
    ['http://partner.example.com', 'Enter a URL that begins with https://'],
    ['https://', 'Enter a URL that begins with https://'],
    ['javascript:alert(1)', 'Enter a URL that begins with https://'],
  ])
    expect(
      messagesOf(await save({ organization_id: organizationId, link_type: 'REDIRECT', partner_external_url: url, version: 0 })),
    ).toEqual({ status: 422, partner_external_url: message })
  const url = 'https://partner.example.com/sign-in?from=portal'
  expect(
    (await save({ organization_id: organizationId, link_type: 'REDIRECT', partner_external_url: url, version: 0 })).body,
  ).toMatchObject({
    level: 'ORGANIZATION',
    partner_external_url: url,
    version: 1,
  })
  expect(await read()).toMatchObject({ level: 'ORGANIZATION', link_type: 'REDIRECT', partner_external_url: url })
  const own = { employer_id: employerId, link_type: 'EMBEDDED', partner_external_url: 'https://own.example.com' }
  expect((await save({ ...own, version: 1 })).body).toMatchObject({ level: 'EMPLOYER', version: 2 })
  expect((await save({ ...own, link_type: 'NONE', version: 2 })).body).toMatchObject({ partner_external_url: null, version: 3 })
  expect((await save({ ...own, version: 2 })).status).toBe(409)
  expect(await read(sister)).toMatchObject({ level: 'ORGANIZATION', link_type: 'REDIRECT' })
  expect(await configurationOf('/configurations/ems', `${ofEmployer()}&${ofOrganization()}`)).toMatchObject([
    { link_type: 'NONE' },
    { link_type: 'REDIRECT' },
  ])
})

test('each level needs its own right, and ungranted records are not found', async () => {
  const employers = await personWith(server, [3, 1002], 'Emil Employers')
  const ems = { link_type: 'NONE', version: 0 }
  expect((await send('POST', '/configurations/ems', { organization_id: organizationId, ...ems }, employers)).status).toBe(403)
  expect((await send('POST', '/configurations/ems', { employer_id: employerId, ...ems }, employers)).status).toBe(200)
  expect((await send('POST', '/deductions/configurations', { employer_id: employerId, version: 0 }, employers)).status).toBe(403)
  const stranger = await personWith(server, [1, 2, 3, 4, 15, 1001, 1002, 1003], 'Sam Stranger', 'ACCOUNT_MANAGER')
  for (const path of ['/deductions/configurations', '/configurations/ems', '/configurations'])
    expect((await send('GET', `${path}?${ofEmployer()}`, undefined, stranger)).status).toBe(404)
  expect((await send('POST', '/deductions/configurations', { employer_id: employerId, version: 0 }, stranger)).status).toBe(404)
})

test('[ENT-047] a saved limit applies to the open work periods under it, and to no others', async () => {
  await given('/configurations', {
    withdraw_limit_amount: 4_000,
    withdraw_amount_max: 100_000,
    single_withdraw_amount_max: 50_000,
  })
  await send('POST', '/configurations', { employer_id: sister, version: 1 })
  const worker = async (employer: number, status = 'ACTIVE') => {
    const { id } = await createEmployee(server.owner, { employerId: employer, linked: {}, status })
    await createBalance(server.owner, id, { available: 20_000, end: '2026-12-31' })
    return id
  }
  const [theirs, gone, other] = [await worker(employerId), await worker(employerId, 'TERMINATED'), await worker(sister)]
  await moveInvoices({ db: server.db }, { processor: null })
  const limits = async () =>
    (
      await sql<{
        limit_amount: number
      }>`select limit_amount from work_period_balances where employee_id in (${theirs}, ${gone}, ${other})
        order by employee_id`.execute(server.db)
    ).rows.map((row) => row.limit_amount)
  // Of $400.00 earned.
  expect(await limits()).toEqual([16_000, 20_000, 16_000])
  const [now] = await configurationOf('/configurations', ofOrganization())
  await send('PUT', `/configurations/${now.id}`, { withdraw_limit_amount: 3_000, version: now.version })
  await moveInvoices({ db: server.db }, { processor: null })
  expect(await limits()).toEqual([12_000, 20_000, 16_000])
})

test('the example is an accessible employee under the configuration, with the open period', async () => {
  const { id } = await createEmployee(server.owner, { employerId, firstName: 'Maya', lastName: 'Lindt', linked: {} })
  await createBalance(server.owner, id, { available: 24_000, pending: 1_000 })
  const example = async (query: string, who = admin) =>
    (await send('GET', `/configurations/example?${query}`, undefined, who)).body.example
  const maya = { employee_id: id, name: 'Maya Lindt', earned_amount: 50_000, taken_amount: 0, pending_amount: 1_000 }
  expect(await example(ofEmployer())).toEqual(maya)
  expect(await example(ofOrganization())).toEqual(maya)
  expect(await example(`employer-id=${sister}`)).toBeNull()
  await send('POST', '/configurations', { employer_id: employerId, version: 0 })
  expect(await example(ofOrganization())).toBeNull()
  const stranger = await personWith(server, [2, 15], 'Sam Stranger', 'ACCOUNT_MANAGER')
  expect(await example(ofEmployer(), stranger)).toBeNull()
  // The example has withdrawn amounts, so it needs the right to see balances.
  const earner = await personWith(server, [2, 8])
  expect((await send('GET', `/configurations/example?${ofEmployer()}`, undefined, earner)).status).toBe(403)
})
