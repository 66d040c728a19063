import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { asking } from '#tests/support/asking.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number

const { send } = asking(
  () => server,
  () => admin,
)
/** The state of each step, by its name. */
const steps = async (who = admin): Promise<Record<string, [state: string | null, detail: string]>> => {
  const { status, body } = await send('GET', `/employers/${employerId}/onboarding`, undefined, who)
  expect(status).toBe(200)
  return Object.fromEntries(
    body.steps.map((one: { step: string; state: string | null; detail: string }) => [one.step, [one.state, one.detail]]),
  )
}
const stateOf = async (name: string) => (await steps())[name]

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 2, 3, 4, 1001, 1002, 1003, 1016], 'Ada Admin')
})
afterAll(() => server.close())
let companies = 0
beforeEach(async () => {
  const company = await createCompany(server.db, `Fjord ${++companies}`, 1)
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
  await sql`update employers set status = 'INACTIVE' where id = ${employerId}`.execute(server.owner)
})

test('a new employer lacks all required steps, and optional ones are listed separately', async () => {
  const all = await steps()
  const of = (state: string) => Object.keys(all).filter((name) => all[name]?.[0] === state)
  expect(of('DONE')).toEqual([])
  expect(of('MISSING')).toEqual([
    'csm',
    'configuration',
    'lms',
    'deductions',
    'pay-group',
    'integration',
    'employee-mapping',
    'employees',
    'active',
    'onboarded',
  ])
  expect(of('OPTIONAL')).toEqual(['billing-account', 'folder', 'data-email', 'timekeeping-mapping', 'ewa-mapping', 'encryption'])
  expect(all['billing-account']?.[1]).toBe('Needed where the employer is debited.')
  expect(all['ewa-mapping']?.[1]).toBe('EWA files have the usual columns.')
})

test('each step is done with its data: configuration, pay group, account, people, activation', async () => {
  await send('POST', '/configurations', { organization_id: organizationId, payment_method: 'AUTO_ACH', version: 0 })
  expect(await stateOf('configuration')).toEqual(['MISSING', 'The withdraw limit is 0: nobody can withdraw.'])
  expect(await stateOf('lms')).toEqual(['DONE', 'ACH auto'])
  // A debited employer needs an account.
  expect(await stateOf('billing-account')).toEqual(['MISSING', 'Debits need an account.'])
  await send(
    'PUT',
    `/configurations/${(await send('GET', `/configurations?organization-id=${organizationId}`)).body.configurations[0].id}`,
    {
      withdraw_limit_amount: 4_000,
      version: 1,
    },
  )
  expect(await stateOf('configuration')).toEqual(['DONE', 'Set'])
  await send('POST', '/deductions/configurations', { organization_id: organizationId, receives_confirmations: true, version: 0 })
  expect(await stateOf('deductions')).toEqual(['DONE', 'Set'])
  expect(await stateOf('confirmation-mapping')).toEqual(['MISSING', 'What it withheld cannot be read.'])
  const period = { start_date: '2026-06-01', end_date: '2026-06-07', report_date: '2026-06-09', payment_date: '2026-06-12' }
  await send('POST', '/organizations/paygroups', {
    employer_id: employerId,
    name: 'Crew',
    external_code: 'CR',
    payroll_frequency: 'WEEKLY',
    adjustment_type: 'SAME_DAY',
    first_work_period: period,
  })
  expect(await stateOf('pay-group')).toEqual(['DONE', '1 pay group'])
  await sql`update pay_groups set derived = true where employer_id = ${employerId}`.execute(server.owner)
  expect(await stateOf('pay-group')).toEqual(['MISSING', '1 derived pay group to confirm'])
  await sql`insert into billing_accounts (organization_id, name, nickname, account_number, routing_number)
    values (${organizationId}, 'Payroll', 'Payroll', '12345678', '121000248')`.execute(server.owner)
  expect(await stateOf('billing-account')).toEqual(['DONE', '1 account'])
  await createEmployee(server.owner, { employerId })
  expect(await stateOf('employees')).toEqual(['DONE', '1 employee'])
  await send('PUT', `/employers/${employerId}/status`, {
    status: 'ACTIVE',
    version: (await send('GET', `/employers/${employerId}`)).body.version,
  })
  expect((await stateOf('active'))?.[0]).toBe('DONE')
})

test('integrations, users and mappings are those of the employer or of its organization', async () => {
  await sql`insert into integrations (organization_id, employer_id, type, import_type, sftp_type, created_by, created_by_name)
    values (${organizationId}, null, 'SFTP', 'TIMEKEEPING', 'INTERNAL', 'x', 'x')`.execute(server.owner)
  await sql`insert into mappings (kind, employer_id, file_name, file_key, columns)
    values ('EMPLOYEE', ${employerId}, 'a_ee.csv', 'a', '[]'), ('DEDUCTION', ${employerId}, 'a.csv', 'a', '[]')`.execute(
    server.owner,
  )
  const all = await steps()
  expect([all['integration'], all['folder']?.[0], all['sftp-user']?.[0]]).toEqual([
    ['DONE', '1 integration'],
    'MISSING',
    'MISSING',
  ])
  expect([all['employee-mapping']?.[0], all['timekeeping-mapping']?.[0], all['ewa-mapping']?.[0]]).toEqual([
    'DONE',
    'MISSING',
    'DONE',
  ])
})

test('accounts need the right to billing, and everything needs access to the employer', async () => {
  const viewer = await personWith(server, [3], 'Vera Viewer')
  expect((await steps(viewer))['billing-account']).toEqual([null, 'Needs the right to see billing'])
  const stranger = await personWith(server, [1, 3], 'Sam Stranger', 'ACCOUNT_MANAGER')
  expect((await send('GET', `/employers/${employerId}/onboarding`, undefined, stranger)).status).toBe(404)
})
