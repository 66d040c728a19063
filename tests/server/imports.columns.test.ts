import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffOriginLabels, staffStatuses } from '#domain/staff.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization, importing } from '#tests/support/imports.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
/** May do and see everything in an employee or time file. */
let admin: SignedIn
/** As the admin, but without read:personal-details. */
let clerk: SignedIn
let organizationId: number
let employerId: number

const { send, good } = asking(
  () => server,
  () => admin,
)

const rights = [1, 2, 3, 4, 6, 8, 98, 1020]

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [...rights, 1023], 'Ada Admin')
  clerk = await personWith(server, rights, 'Cleo Clerk')
  const company = await createCompany(server.db, 'Harbor')
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
  await configureOrganization(server.db, organizationId)
})
afterAll(() => server.close())

const files = importing(
  () => server,
  { send, good },
  () => employerId,
)
const { faults } = files
async function imported(name: string, text: string) {
  const done = await files.imported(name, text)
  expect(done, JSON.stringify(done)).toMatchObject({ status: 'SUCCESS' })
  return done
}
const employee = async (code: string, as = admin) =>
  (await good('GET', `/employees?employee-code=${code}&include=user`, undefined, as)).employees[0]

describe('an employee file', () => {
  const columns = [
    ['Home address', 'address'],
    ['Born', 'birth_date'],
    ['Unit', 'business_unit_code'],
    ['Town', 'city'],
    ['Land', 'country'],
    ['Dept', 'department_code'],
    ['Mail', 'email'],
    ['First', 'first_name'],
    ['Last', 'last_name'],
    ['Whole name', 'full_name'],
    ['Emp ID', 'employee_code'],
    ['Company', 'employer_code'],
    ['Hired', 'hire_date'],
    ['Site', 'location_code'],
    ['Pay', 'pay_code'],
    ['Payroll', 'payroll_code'],
    ['Cell', 'phone'],
    ['Rate', 'rate'],
    ['Badge', 'secondary_id'],
    ['St', 'state'],
    ['State of work', 'status'],
    ['TK', 'external_tk_id'],
    ['Postal', 'zip'],
  ] as const
  const heads = columns.map(([header]) => header).join(',')
  const first =
    '"12 Elm Street, Apt 4",1988-03-05,BU-7,Boston,USA,CARE-1,sadia@example.com,Sadia,Barnes,,417-A,HA-1,2026-01-05,SITE-3,REG,PR-9,(212) 555-0142,21.50,B-77,MA,Active,TK-417,02110'
  const second =
    '88 Oak Avenue,1988-03-06,BU-8,Chicago,Canada,CARE-2,barnes@example.com,Sadie,Barns,,417-A,HA-1,2026-02-05,SITE-4,OT,PR-8,(212) 555-0143,22.50,B-78,IL,Active,TK-418,60601'
  let firstImport: { id: number }

  beforeAll(async () => {
    await good('POST', '/mappings/employees', {
      employer_id: employerId,
      file_name: 'acme_ee.csv',
      columns: columns.map(([header, field]) => ({ header, field })),
    })
    firstImport = await imported(
      'acme_ee.csv',
      [
        heads,
        first,
        // A full name in one cell and the minimum of values; a leaver; a line of another company.
        `,,,,,,,,,"Ortiz, Benjamin",418-B,HA-1,,,,,,,,,Active,,`,
        `,,,,,,,Old,Hand,,419-C,HA-1,,,,,,,,,Terminated,,`,
        `,,,,,,,Ann,Lee,,420-D,HA-9,,,,,,,,,Active,,`,
        '',
      ].join('\n'),
    )
  })

  test.each([
    ['MAP-001', 'the address', 'address', '12 Elm Street, Apt 4'],
    ['MAP-002', 'the birth date', 'birth_date', '1988-03-05'],
    ['MAP-003', 'the business unit code', 'business_unit_code', 'BU-7'],
    ['MAP-004', 'the city', 'city', 'Boston'],
    ['MAP-007', 'the country', 'country', 'USA'],
    ['MAP-008', 'the department code', 'department_code', 'CARE-1'],
    ['MAP-009', 'the e-mail address', 'email', 'sadia@example.com'],
    ['MAP-010', 'the first name', 'first_name', 'Sadia'],
    ['MAP-011', 'the last name', 'last_name', 'Barnes'],
    ['MAP-013', 'the employee code', 'employee_code', '417-A'],
    ['MAP-015', 'the hire date', 'hire_date', '2026-01-05'],
    ['MAP-016', 'the location code', 'location_code', 'SITE-3'],
    ['MAP-017', 'the pay code', 'pay_code', 'REG'],
    ['MAP-018', 'the payroll code', 'payroll_code', 'PR-9'],
    ['MAP-019', 'the phone number', 'phone_number', '(212) 555-0142'],
    ['MAP-020', 'the rate in cents', 'rate_amount', 2150],
    ['MAP-022', 'the state', 'state', 'MA'],
    ['MAP-023', 'the status', 'status', 'ELIGIBLE'],
    ['MAP-024', 'the external TK id', 'external_tk_id', 'TK-417'],
    ['MAP-028', 'the zip code with its zero', 'zip', '02110'],
  ] as const)('[%s] stores %s of a file with the employee', async (_, __, field, value) => {
    expect((await employee('417-A'))[field]).toBe(value)
  })

  test('[MAP-012] takes a first and a last name from a full name in one cell', async () => {
    expect(await employee('418-B')).toMatchObject({ first_name: 'Benjamin', last_name: 'Ortiz', birth_date: null, city: null })
  })

  test('[MAP-014] rejects a line with the code of another employer', async () => {
    expect(await faults(firstImport.id)).toEqual([[5, 'Employer code', 'No employer of the organization has the code HA-9.']])
    expect(await employee('420-D')).toBeUndefined()
  })

  test('masks birth date and address, but not codes, without read:personal-details', async () => {
    const seen = await employee('417-A', clerk)
    for (const field of ['birth_date', 'address', 'city', 'state', 'zip', 'country'])
      expect([field, seen[field]]).toEqual([field, null])
    expect(seen).toMatchObject({ business_unit_code: 'BU-7', location_code: 'SITE-3', pay_code: 'REG', payroll_code: 'PR-9' })
  })

  test.each([
    ['business-unit-code', 'bu-7'],
    ['location-code', 'site'],
    ['payroll-code', 'pr-9'],
  ])('finds an employee by the filter %s, by a part of the code in any case', async (param, text) => {
    const { employees } = await good('GET', `/employees?${param}=${text}`)
    expect(employees.map((one: { employee_code: string }) => one.employee_code)).toEqual(['417-A'])
    expect((await good('GET', `/employees/count?${param}=${text}`)).count).toBe(1)
    expect((await good('GET', `/employees?${param}=none-such`)).employees).toEqual([])
  })

  test('[MAP-021] finds an employee by the secondary id alone that an earlier file has set', async () => {
    const { id } = await good('POST', '/mappings/employees', {
      employer_id: employerId,
      file_name: 'badge_ee.csv',
      columns: [
        { header: 'Emp ID', field: 'employee_code' },
        { header: 'Badge', field: 'secondary_id' },
        { header: 'State', field: 'status' },
        { header: 'Dept', field: 'department_code' },
      ],
    })
    await imported('badge_ee.csv', 'Emp ID,Badge,State,Dept\n,B-77,Active,CARE-9\n418-B,,Active,\n')
    expect(await employee('417-A')).toMatchObject({ department_code: 'CARE-9', city: 'Boston' })
    await good('DELETE', `/mappings/employees/${id}?version=1`)
  })

  test('records the changes of a later file in the history, and masks personal details there', async () => {
    const { id } = await employee('417-A')
    const done = await imported('acme_ee.csv', [heads, second, `,,,,,,,,,,418-B,HA-1,,,,,,,,,Active,,`, ''].join('\n'))
    expect(done).toMatchObject({ created: 0, changed: 1, rejected: 0 })
    const historyFor = async (as: SignedIn) => {
      const [event] = (await good('GET', `/employees/${id}/events`, undefined, as)).events
      expect([event.status, event.text]).toEqual(['Changed by file', `Import ${done.id}`])
      return Object.fromEntries(
        event.changes.map(({ field, before, after }: Record<string, string>) => [field, `${before} > ${after}`]),
      )
    }
    const codes = {
      business_unit_code: 'BU-7 > BU-8',
      location_code: 'SITE-3 > SITE-4',
      pay_code: 'REG > OT',
      payroll_code: 'PR-9 > PR-8',
      department_code: 'CARE-9 > CARE-2',
    }
    expect(await historyFor(admin)).toMatchObject({
      ...codes,
      secondary_tk_id: 'B-77 > B-78',
      birth_date: '1988-03-05 > 1988-03-06',
      address: '12 Elm Street, Apt 4 > 88 Oak Avenue',
      city: 'Boston > Chicago',
      state: 'MA > IL',
      zip: '02110 > 60601',
      country: 'USA > Canada',
    })
    const masked = await historyFor(clerk)
    expect(masked).toMatchObject(codes)
    expect(JSON.stringify(masked)).not.toMatch(/1988|Elm|Oak|Boston|Chicago|IL|60601|Canada/)
    // The complete audit and the timeline show no more than the history of the record.
    for (const path of [`/employees/${id}/timeline`, `/audit-events?entity=employee`])
      expect([path, JSON.stringify((await send('GET', path, undefined, clerk)).body)]).toEqual([
        path,
        expect.not.stringMatching(/1988-03|Elm Street|Oak Avenue|Boston|Chicago/),
      ])
  })

  test('rejects a birth date that is not in the past, and imports the other lines', async () => {
    const { rows } = await sql<{ today: string }>`select business_date()::text as today`.execute(server.db)
    const line = (code: string, born: string) => `,${born},,,,,,Ann,Lee,,${code},HA-1,,,,,,,,,Active,,`
    const done = await imported(
      'acme_ee.csv',
      [heads, second, line('418-B', ''), line('431-A', String(rows[0]?.today)), line('432-B', '1999-12-31'), ''].join('\n'),
    )
    expect(await faults(done.id)).toEqual([
      [4, 'Birth date', `Nobody was born on ${rows[0]?.today}, which is not in the past. Correct the date.`],
    ])
    expect(await employee('431-A')).toBeUndefined()
    expect((await employee('432-B')).birth_date).toBe('1999-12-31')
  })

  test('an EWA file has the codes and the e-mail address that the employee file brought', async () => {
    const fields = [
      ...(['employee_code', 'external_tk_id', 'secondary_id', 'first_name', 'last_name', 'full_name', 'email'] as const),
      ...(['employer_code', 'department_code', 'business_unit_code', 'location_code', 'pay_code', 'payroll_code'] as const),
      'deduction_amount',
    ]
    await good('POST', '/mappings/deductions', {
      employer_id: employerId,
      file_name: 'acme_ewa.csv',
      columns: fields.map((field) => ({ header: field, field })),
    })
    const [known, plain] = [await employee('417-A'), await employee('418-B')]
    const { deductionId } = await createInvoice(server.db, {
      employerId,
      status: 'ON_DEDUCTION_FILE',
      companyCode: 'C-100',
      lines: [
        { employeeId: known.id, amount: 12_50, departmentCode: 'CARE-2' },
        { employeeId: plain.id, amount: 10_00 },
      ],
    })
    const file = await good('GET', `/deductions/${deductionId}/file-preview`)
    expect(file.rows).toEqual([
      // The payroll code of the employee is used; without one, that of the invoice.
      [
        ...['417-A', 'TK-418', 'B-78', 'Sadie', 'Barns', 'Sadie Barns', 'barnes@example.com'],
        ...['HA-1', 'CARE-2', 'BU-8', 'SITE-4', 'OT', 'PR-8', '12.50'],
      ],
      ['418-B', '', '', 'Ann', 'Lee', 'Ann Lee', '', 'HA-1', '', '', '', '', 'C-100', '10.00'],
    ])
  })
})

describe('account managers named in an employee file', () => {
  const columns = [
    { header: 'Emp', field: 'employee_code' },
    { header: 'Name', field: 'full_name' },
    { header: 'Status', field: 'status' },
    { header: 'Manager', field: 'account_manager_email' },
  ]
  let owner: { employer: number; organization: number }
  let root: SignedIn

  beforeAll(async () => {
    root = await personWith(server, [3, 4, 1018, 1019, 1020], 'Root Super')
    const company = await createCompany(server.db, 'Quayside')
    owner = { employer: company.employerIds[0] as number, organization: company.organizationId }
    await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
      values (${owner.organization}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
    await good('POST', '/mappings/employees', { employer_id: owner.employer, file_name: 'quay_ee.csv', columns })
  })

  const importFrom = async (lines: string) => {
    const content = Buffer.from(`Emp,Name,Status,Manager\n${lines}`).toString('base64')
    const { id } = await good('POST', '/imports', { employer_id: owner.employer, file: { name: 'quay_ee.csv', content } })
    await importFiles(server.services, () => false)
    return good('GET', `/imports/${id}`)
  }
  const managers = async (q: string) =>
    (await good('GET', `/account-managers?q=${q}&include=permissions,access-control-list`, undefined, root)).account_managers

  test('[ENT-003] are created without rights or invitation, and shown as Automated', async () => {
    const done = await importFrom(
      'M-1,Ann Lee,Active,Maya.Lopez@quay.example\nM-2,Bo Yu,Active,maya.lopez@quay.example\nM-3,Cy Poe,Active,\n',
    )
    expect(done).toMatchObject({
      status: 'SUCCESS',
      created: 3,
      rejected: 0,
      message: 'New account managers, who are not invited yet: maya.lopez@quay.example.',
    })
    const [one, ...others] = await managers('maya.lopez')
    expect(others).toEqual([])
    expect(one).toMatchObject({
      email: 'maya.lopez@quay.example',
      origin: 'INGESTION',
      status: 'NOT_INVITED',
      groups: [],
      permissions: [],
      organizations: [],
      employers: [expect.objectContaining({ id: owner.employer })],
    })
    expect(staffOriginLabels[one.origin as 'INGESTION']).toBe('Automated')
    expect(staffStatuses.label(one.status)).toBe('Not invited')
    const [event] = (await good('GET', `/account-managers/${one.id}/history`, undefined, root)).events
    expect([event.status, event.text, event.actor.name]).toEqual(['Created', `Import ${done.id}`, 'Ada Admin'])
    // Nothing was mailed, and there is no password to reset.
    const mails = await server.db.selectFrom('outbox').select('id').where('recipient', '=', one.email).execute()
    expect(mails).toEqual([])
    expect((await send('POST', `/account-managers/${one.id}/password-resets`, {}, root)).status).toBe(409)
    expect((await send('DELETE', `/account-managers/${one.id}/invitations`, undefined, root)).body.detail).toBe(
      'This person has not been invited yet.',
    )
    // They sign in like everybody else once somebody invites them.
    await good('POST', `/account-managers/${one.id}/invitations`, {}, root)
    expect((await managers('maya.lopez'))[0]).toMatchObject({ status: 'INVITED', origin: 'INGESTION', permissions: [] })
  })

  test('leaves known ones as they are, and reports who has no access to the employer', async () => {
    const elsewhere = { kind: 'ACCOUNT_MANAGER' as const, name: 'Kim Known', email: 'kim@known.example', permissions: [2] }
    await createPerson(server.db, { ...elsewhere, grants: [{ employerId }] })
    const [before] = await managers('kim@known.example')
    const done = await importFrom('M-1,Ann Lee,Active,kim@known.example\nM-2,Bo Yu,Active,\nM-3,Cy Poe,Active,\n')
    expect([done.status, done.message]).toEqual([
      'SUCCESS',
      'Account managers without access to this employer, which no file gives: kim@known.example.',
    ])
    expect(await managers('kim@known.example')).toEqual([before])
  })

  test('rejects a line that names an admin, and leaves the admin unchanged', async () => {
    const one = await createPerson(server.db, { name: 'Priya Admin', email: 'priya@admin.example', permissions: [2] })
    const done = await importFrom('M-1,Ann Lee,Active,PRIYA@admin.example\nM-2,Bo Yu,Active,\nM-3,Cy Poe,Active,\n')
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 2, rejected: 1, ended: 0 })
    const [fault] = (await good('GET', `/imports/${done.id}/rejected-lines`)).rejected_lines
    expect([fault.line, fault.column, fault.message.toLowerCase()]).toEqual([
      2,
      'Account manager e-mail',
      'priya@admin.example belongs to an admin, who cannot be an account manager. correct the address.',
    ])
    const { rows } = await sql`select from access_grants where person_id = ${one.id}`.execute(server.db)
    expect([rows.length, (await managers('priya@admin.example')).length]).toEqual([0, 0])
  })

  test('refuses a file that names over 50, and adds nobody', async () => {
    const lines = Array.from({ length: 51 }, (_, at) => `N-${at},Ann Lee,Active,mine-${at}@people.example\n`).join('')
    expect(await importFrom(lines)).toMatchObject({
      status: 'FAIL',
      message: "The file names over 50 different account managers. Map 'Account manager e-mail' to another column.",
    })
    expect(await managers('people.example')).toEqual([])
  })
})

describe('a time file', () => {
  let person: { id: number }
  let day: string

  beforeAll(async () => {
    person = await createEmployee(server.db, { employerId, code: 'T-1', rate: 2000, balance: { available: 1 } })
    const { rows } = await sql<{ day: string }>`select (business_date() - 3)::text as day`.execute(server.db)
    day = rows[0]?.day as string
    await sql`delete from work_period_balances where employee_id = ${person.id}`.execute(server.owner)
  })

  const entries = async () =>
    (await good('GET', `/timekeeping?employee-id=${person.id}&sort=id&sort-order=asc`)).time_entries.filter(
      (one: { status: string }) => one.status !== 'REJECTED',
    )
  const mapped = (file_name: string, columns: Record<string, string>) =>
    good('POST', '/mappings/timekeepings', {
      employer_id: employerId,
      file_name,
      columns: Object.entries(columns).map(([header, field]) => ({ header, field })),
    })

  test('[MAP-005, MAP-006] counts the hours between two times, also past midnight', async () => {
    await mapped('clocks_tk.csv', { Emp: 'employee_code', Day: 'work_date', In: 'clock_in', Out: 'clock_out' })
    await imported('clocks_tk.csv', `Emp,Day,In,Out\nT-1,${day},08:00,16:30\nT-1,${day},22:15,06:00\n`)
    expect((await entries()).map((one: { minutes: number }) => one.minutes)).toEqual([8 * 60 + 30, 7 * 60 + 45])
    expect((await entries()).map((one: { earned_amount: number }) => one.earned_amount)).toEqual([170_00, 155_00])
    await imported('clocks_tk.csv', `Emp,Day,In,Out\nT-1,${day},08:00,08:30\n`)
  })

  test('[MAP-025, MAP-026, MAP-027] stores day, hours and earned wage as in the file', async () => {
    await mapped('hours_tk.csv', { Emp: 'employee_code', Day: 'work_date', Hrs: 'work_hours', Gross: 'earned_wage' })
    await imported('hours_tk.csv', `Emp,Day,Hrs,Gross\nT-1,${day},7.5,161.25\n`)
    expect((await entries()).at(-1)).toMatchObject({ work_date: day, minutes: 450, earned_amount: 161_25 })
  })

  test('[MAP-003, MAP-008, MAP-016, MAP-018] stores the codes of a line with its entry, and corrects them', async () => {
    await mapped('codes_tk.csv', {
      Emp: 'employee_code',
      Day: 'work_date',
      Hrs: 'work_hours',
      Dept: 'department_code',
      Unit: 'business_unit_code',
      Site: 'location_code',
      Pay: 'pay_code',
      Roll: 'payroll_code',
    })
    const head = 'Emp,Day,Hrs,Dept,Unit,Site,Pay,Roll\n'
    await imported('codes_tk.csv', `${head}T-1,${day},3,CARE-1,BU-7,SITE-3,REG,PR-9\nT-1,${day},2,,,,,\n`)
    const [coded, plain] = (await entries()).slice(-2)
    const codes = { department_code: 'CARE-1', business_unit_code: 'BU-7', location_code: 'SITE-3', pay_code: 'REG' }
    expect(coded.codes).toEqual({ ...codes, payroll_code: 'PR-9' })
    expect(plain.codes).toBeNull()
    const again = await imported('codes_tk.csv', `${head}T-1,${day},3,CARE-1,BU-7,SITE-5,REG,\nT-1,${day},2,,,,,\n`)
    expect(again).toMatchObject({ created: 0, changed: 1 })
    const after = await good('GET', `/timekeeping/${coded.id}`)
    expect(after).toMatchObject({ minutes: 180, codes: { ...codes, location_code: 'SITE-5', payroll_code: 'PR-9' } })
    const [event] = (await good('GET', `/timekeeping/${coded.id}/history`)).events
    expect([event.status, event.text, event.changes]).toEqual([
      'Corrected by file',
      `Import ${again.id}`,
      [{ field: 'location_code', before: 'SITE-3', after: 'SITE-5' }],
    ])
  })

  test('[MAP-030] a file is read by a mapping that was created and changed, and by none once it is deleted', async () => {
    const columns = [
      { header: 'Emp', field: 'employee_code' },
      { header: 'Day', field: 'work_date' },
    ]
    const of = (header: string) => ({ file_name: 'kept_tk.csv', columns: [...columns, { header, field: 'work_hours' }] })
    const made = await good('POST', '/mappings/timekeepings', { employer_id: employerId, ...of('Hours') })
    await good('PUT', `/mappings/timekeepings/${made.id}`, { ...of('Worked'), version: made.version })
    expect(await imported('kept_tk.csv', `Emp,Day,Worked\nT-1,${day},1.25\n`)).toMatchObject({ created: 1, rejected: 0 })
    expect((await entries()).at(-1)).toMatchObject({ work_date: day, minutes: 75 })
    const { version } = await good('GET', `/mappings/${made.id}`)
    await good('DELETE', `/mappings/timekeepings/${made.id}?version=${version}`)
    const content = Buffer.from(`Emp,Day,Worked\nT-1,${day},2\n`).toString('base64')
    const { body } = await send('POST', '/imports', { employer_id: employerId, file: { name: 'kept_tk.csv', content } })
    expect([body.status, body.message]).toEqual(['FAIL', 'File mapping not found'])
  })

  test.each([
    [
      'timekeepings',
      'x_tk.csv',
      'status',
      'Status has no effect in Timekeeping files. Remove this column here; the file may have it.',
    ],
    [
      'confirmations',
      'x_confirmed.csv',
      'department_code',
      'Department code has no effect in Confirmation files. Remove this column here; the file may have it.',
    ],
  ])('refuses a column without effect in a mapping of %s', async (kind, file_name, field, message) => {
    const others = {
      timekeepings: [
        { header: 'Day', field: 'work_date' },
        { header: 'Hours', field: 'work_hours' },
      ],
      confirmations: [{ header: 'Withheld', field: 'deduction_withheld' }],
    }[kind]
    const columns = [{ header: 'Emp', field: 'employee_code' }, ...(others ?? []), { header: 'More', field }]
    const answer = await send('POST', `/mappings/${kind}`, { employer_id: employerId, file_name, columns })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: expect.stringContaining(`${columns.length - 1}`), message })],
    ])
  })
})
