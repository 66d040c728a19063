import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { largeFrom, largestUpload, maxStoredFaults } from '#domain/import.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import { readFileApart } from '#server/jobs/imports/read-file.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { forgetOld } from '#server/auth/housekeeping.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization, importing } from '#tests/support/imports.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { blockedBy, waitingForLocks } from '#tests/support/locks.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'
import { largestTurn } from '#tests/support/turns.ts'
import { workbook, workbookParts } from '#tests/support/workbook.ts'

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
  admin = await personWith(server, [2, 3, 4, 8, 1020], 'Ada Admin')
  // Hours may be 13 months old, and the work periods of the tests are those of January 2026.
  await setToday(server.db, '2026-11-30')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
  await configureOrganization(server.db, organizationId)
})

const eeColumns = [
  { header: 'Code', field: 'employee_code' },
  { header: 'Name', field: 'full_name' },
  { header: 'Status', field: 'status' },
  { header: 'Rate', field: 'rate' },
  { header: 'Hired', field: 'hire_date' },
]
const tkColumns = [
  { header: 'Code', field: 'employee_code' },
  { header: 'Day', field: 'work_date' },
  { header: 'Hours', field: 'work_hours' },
]
const mapEmployees = (columns: unknown = eeColumns, employer = employerId, file_name = 'acme_ee.csv') =>
  good('POST', '/mappings/employees', { employer_id: employer, file_name, columns })
const mapTime = (columns: unknown = tkColumns) =>
  good('POST', '/mappings/timekeepings', { employer_id: employerId, file_name: 'acme_tk.csv', columns })

const inBase64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const { upload, imported, faults } = importing(
  () => server,
  { send, good },
  () => employerId,
)
const employees = async () =>
  (
    await sql<{ employee_code: string; first_name: string; last_name: string; status: string; rate_amount: number | null }>`
      select employee_code, first_name, last_name, status, rate_amount from employees where employer_id = ${employerId} order by employee_code`.execute(
      server.db,
    )
  ).rows
const statuses = async () => Object.fromEntries((await employees()).map((one) => [one.employee_code, one.status]))
/** Message for a status that is neither mapped nor a common word. */
const noSuchStatus = (status: string): string =>
  `“${status}” is no status that is known here. If it is one, add it to the statuses of the file mapping.`
const person = (code: string, more: Partial<Parameters<typeof createEmployee>[1]> = {}) =>
  createEmployee(server.db, { employerId, code, ...more })

describe('an employee file', () => {
  test('adds new people, changes known ones, and ends leavers in one transaction', async () => {
    await mapEmployees()
    await person('A1', { firstName: 'Mia', lastName: 'Torres', linked: {} })
    await person('A2', { firstName: 'Ben', lastName: 'Yu' })
    const done = await imported(
      'acme_20260105_ee.csv',
      'Code,Name,Status,Rate,Hired\nA1,"Torres, Maria",Active,21.50,\nA2,Ben Yu,Terminated,,\nA3,Ann Lee,A,18,01/25/2026\nA4,Old Hand,Left,,\n',
    )
    expect(done).toMatchObject({
      status: 'SUCCESS',
      employer_id: employerId,
      kind: 'EMPLOYEE',
      incremental: false,
      lines: 4,
      accepted: 4,
      rejected: 0,
      created: 1,
      changed: 2,
      ended: 1,
      absent: 0,
      received_by: 'Ada Admin',
      source: 'UPLOAD',
    })
    expect(await employees()).toEqual([
      { employee_code: 'A1', first_name: 'Maria', last_name: 'Torres', status: 'ACTIVE', rate_amount: 2150 },
      { employee_code: 'A2', first_name: 'Ben', last_name: 'Yu', status: 'TERMINATED', rate_amount: 2150 },
      { employee_code: 'A3', first_name: 'Ann', last_name: 'Lee', status: 'ELIGIBLE', rate_amount: 1800 },
    ])
    // The history of each has the change.
    const { rows } = await sql<{ status: string; code: string; after: { status: string } }>`
      select audit_events.status, employees.employee_code as code, after from audit_events join employees on employees.id::text = entity_id
      where entity = 'employee' and employees.employer_id = ${employerId} order by code`.execute(server.db)
    expect(rows.map(({ status, code, after }) => [code, status, after.status])).toEqual([
      ['A1', 'Changed by file', 'ACTIVE'],
      ['A2', 'Changed by file', 'TERMINATED'],
      ['A3', 'CREATE', 'ELIGIBLE'],
    ])
  })

  test('rejects lines with a reason each, lists them in a file, and imports the others', async () => {
    await mapEmployees()
    await person('B1')
    const done = await imported(
      'acme_ee.csv',
      'Code,Name,Status,Rate,Hired\nB1,Mia Torres,Active,much,\nB2,Ann Lee,Active,18,\nB2,Ann Lea,Active,18,\n,No Body,Active,,\nB5,Mono,Active,,\nB1,Mia,Asleep,,\nB7,Bo Yu,Active,,\nB7,Bo Yu,Active,,\n',
    )
    expect(done).toMatchObject({ status: 'SUCCESS', lines: 8, accepted: 1, rejected: 7, created: 1, absent: 0 })
    expect(await faults(done.id)).toEqual([
      [2, 'Rate', '“much” is no amount, such as 1,234.50.'],
      // It is unknown which of the two is right.
      [3, null, 'Line 4 has other values for the same employee. Keep one of the lines.'],
      [4, null, 'Line 3 has other values for the same employee. Keep one of the lines.'],
      [5, null, 'The employee identifier is missing.'],
      [6, null, 'A new employee needs a first and a last name.'],
      [7, 'Status', noSuchStatus('Asleep')],
      [9, null, 'It repeats line 8.'],
    ])
    // A person named in an invalid line is not absent.
    expect(await statuses()).toEqual({ B1: 'ELIGIBLE', B7: 'ELIGIBLE' })
    const answer = await fetch(`${server.origin}/api/imports/${done.id}/rejected-lines/file`, { headers: admin.headers })
    expect(await answer.text()).toBe(
      [
        'Code,Name,Status,Rate,Hired,Why it was not taken',
        'B1,Mia Torres,Active,much,,"Rate: “much” is no amount, such as 1,234.50."',
        'B2,Ann Lee,Active,18,,Line 4 has other values for the same employee. Keep one of the lines.',
        'B2,Ann Lea,Active,18,,Line 3 has other values for the same employee. Keep one of the lines.',
        ',No Body,Active,,,The employee identifier is missing.',
        'B5,Mono,Active,,,A new employee needs a first and a last name.',
        `B1,Mia,Asleep,,,"Status: ${noSuchStatus('Asleep')}"`,
        'B7,Bo Yu,Active,,,It repeats line 8.',
        '',
      ].join('\r\n'),
    )
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="rejected-acme_ee.csv"')
  })

  test('gives an id to one person: lines sharing an id are rejected, and nobody loses theirs', async () => {
    await mapEmployees([...eeColumns, { header: 'Badge', field: 'external_tk_id' }, { header: 'Other', field: 'secondary_id' }])
    await person('A1', { firstName: 'Mia', lastName: 'Torres', tkId: 'T1' })
    const done = await imported(
      'acme_ee.csv',
      `Code,Name,Status,Rate,Hired,Badge,Other
A1,Mia Torres,Active,,,T7,
N1,Ann Lee,Active,18,,T7,
N2,Bo Lee,Active,18,,T8,S1
N3,Cy Lee,Active,18,,T9,S1
N4,Di Lee,Active,18,,T1,
,Ed Lee,Active,18,,T8,
`,
    )
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 1, rejected: 5, created: 1, changed: 0, absent: 0 })
    expect(await faults(done.id)).toEqual([
      [2, null, 'Line 3 has the same External TK id for somebody else.'],
      [3, null, 'Line 2 has the same External TK id for somebody else.'],
      [4, null, 'Line 7 has the same External TK id for somebody else.'],
      [6, null, 'Another employee has the id T1.'],
      [7, null, 'Line 4 has the same External TK id for somebody else.'],
    ])
    const { rows } =
      await sql`select employee_code, external_tk_id, secondary_tk_id from employees where employer_id = ${employerId}
      order by 1`.execute(server.db)
    expect(rows).toEqual([
      { employee_code: 'A1', external_tk_id: 'T1', secondary_tk_id: null },
      { employee_code: 'N3', external_tk_id: 'T9', secondary_tk_id: 'S1' },
    ])
  })

  test('is read as it looks: invisible characters do not make other codes, nor a name', async () => {
    await mapEmployees()
    await person('A1', { firstName: 'José', lastName: 'Ortiz' })
    const done = await imported(
      'acme_ee.csv',
      'Code,Name,Status,Rate,Hired\n\u200bA1\ufeff,Jose\u0301 Ortiz,Active,,\nN1,\u3164 \u2800,Active,18,\nN2,\u202eAnn\u202c Lee,Active,18,\n',
    )
    expect(done).toMatchObject({ accepted: 2, rejected: 1, created: 1, changed: 0 })
    expect(await faults(done.id)).toEqual([[3, null, 'A new employee needs a first and a last name.']])
    expect((await employees()).map((one) => [one.employee_code, one.first_name])).toEqual([
      ['A1', 'José'],
      ['N2', 'Ann'],
    ])
  })

  test('of all staff makes missing people ineligible, and waits for a person above 10%', async () => {
    await mapEmployees()
    for (let at = 0; at < 20; at += 1) await person(`C${String(at).padStart(2, '0')}`)
    const lines = (count: number, status = 'Active') =>
      `Code,Name,Status,Rate,Hired\n${Array.from({ length: count }, (_, at) => `C${String(at).padStart(2, '0')},Mia Torres,${status},,\n`).join('')}`
    // Two of twenty are exactly 10%.
    expect(await imported('acme_ee.csv', lines(18))).toMatchObject({ status: 'SUCCESS', absent: 2, ended: 2, changed: 2 })
    expect(await statuses()).toMatchObject({ C17: 'ELIGIBLE', C18: 'INELIGIBLE', C19: 'INELIGIBLE' })
    const waits = await imported('acme_ee.csv', lines(16))
    expect(waits).toMatchObject({
      status: 'PAUSED',
      absent: 2,
      message: 'The file leaves out 2 of 18 employees, who would no longer be eligible.',
      finished_at: null,
    })
    expect(await statuses()).toMatchObject({ C16: 'ELIGIBLE', C17: 'ELIGIBLE' })
    const stale = await send('POST', `/imports/${waits.id}/apply`, { version: waits.version - 1, absent: 2 })
    expect(stale.body.code).toBe('stale-version')
    await good('POST', `/imports/${waits.id}/apply`, { version: waits.version, absent: 2 })
    await importFiles(server.services, () => false)
    expect(await good('GET', `/imports/${waits.id}`)).toMatchObject({ status: 'SUCCESS', absent: 2, decided_by: 'Ada Admin' })
    expect(await statuses()).toMatchObject({ C15: 'ELIGIBLE', C16: 'INELIGIBLE', C17: 'INELIGIBLE' })
    const now = (await good('GET', `/imports/${waits.id}`)).version
    const again = await send('POST', `/imports/${waits.id}/apply`, { version: now, absent: 2 })
    expect(again.body).toMatchObject({ code: 'import-not-held', detail: 'No decision is waited for.' })
  })

  test('can be rejected while it waits, and is not imported after a newer one', async () => {
    await mapEmployees()
    for (let at = 0; at < 4; at += 1) await person(`D${at}`)
    const one = await imported('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nD0,Mia Torres,Active,,\n')
    expect(one.status).toBe('PAUSED')
    const whole = `Code,Name,Status,Rate,Hired\n${[0, 1, 2, 3].map((at) => `D${at},Mia Torres,Active,,\n`).join('')}`
    expect((await imported('acme_ee.csv', whole)).status).toBe('SUCCESS')
    const late = await send('POST', `/imports/${one.id}/apply`, { version: one.version, absent: 3 })
    expect(late.body).toMatchObject({ code: 'import-outdated' })
    expect(await good('POST', `/imports/${one.id}/reject`, { version: one.version })).toMatchObject({ status: 'REJECTED' })
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['ELIGIBLE']))
  })

  test('adds people with a status mapped to Unknown, and rejects an unmapped status', async () => {
    const statusesOfFile = [
      { value: 'Contractor', means: 'UNKNOWN' },
      { value: 'P/T', means: 'ACTIVE' },
    ]
    await good('POST', '/mappings/employees', {
      employer_id: employerId,
      file_name: 'acme_ee.csv',
      columns: eeColumns,
      statuses: statusesOfFile,
    })
    await person('U1')
    await person('U2')
    const lines =
      'Code,Name,Status,Rate,Hired\nU1,Mia Torres,contractor,,\nU3,Ann Lee,Contractor,,\nU4,Bo Yu,p/t,,\nU5,Cy Ruiz,WHATEVER,,\n'
    const waits = await imported('acme_ee.csv', lines)
    expect(waits).toMatchObject({ status: 'PAUSED', created: 0, unknown: 1, rejected: 2, absent: 1 })
    const done = await imported('acme_ee.csv', `${lines}U2,Mia Torres,Active,,\n`)
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2, unknown: 1, rejected: 2 })
    expect(await faults(done.id)).toEqual([
      [2, 'Status', '“contractor” means Unknown, which changes nobody who is known.'],
      [5, 'Status', noSuchStatus('WHATEVER')],
    ])
    expect(await statuses()).toEqual({ U1: 'ELIGIBLE', U2: 'ELIGIBLE', U3: 'UNKNOWN', U4: 'ELIGIBLE' })
  })

  test('recounts missing people on confirmation, and refuses a different number', async () => {
    await mapEmployees()
    for (let at = 0; at < 4; at += 1) await person(`L${at}`)
    const one = await imported('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nL0,Mia Torres,Active,,\nL9,Ann Lee,Odd word,wrong,\n')
    expect(one).toMatchObject({ status: 'PAUSED', absent: 3 })
    const apply = (absent: number) => send('POST', `/imports/${one.id}/apply`, { version: one.version, absent })
    // A new person not in the file, one named in a rejected line, and one of another employer.
    await person('L5')
    await person('L9')
    await createEmployee(server.db, { employerId: sister, code: 'L6' })
    const waits = {
      status: 'PAUSED',
      absent: 4,
      message: 'The file leaves out 4 of 6 employees, who would no longer be eligible.',
    }
    expect(await good('GET', `/imports/${one.id}`)).toMatchObject(waits)
    expect((await good('GET', `/imports?id=${one.id}`)).imports).toMatchObject([waits])
    const refused = await apply(3)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'stale-version',
        detail: 'The file leaves out 4 employees now, not 3. Check the number again.',
        facts: { absent: 4, version: one.version },
      },
    ])
    // Fewer than confirmed are refused, too: that is not the list that was reviewed.
    await sql`update employees set status = 'TERMINATED' where employer_id = ${employerId} and employee_code in ('L1', 'L2', 'L3')`.execute(
      server.db,
    )
    expect((await apply(4)).body.detail).toBe('The file leaves out 1 employee now, not 4. Check the number again.')
    await importFiles(server.services, () => false)
    expect(await statuses()).toMatchObject({ L0: 'ELIGIBLE', L5: 'ELIGIBLE', L9: 'ELIGIBLE' })
    expect((await apply(1)).status).toBe(200)
    await importFiles(server.services, () => false)
    expect(await good('GET', `/imports/${one.id}`)).toMatchObject({ status: 'SUCCESS', absent: 1, ended: 1 })
    expect(await statuses()).toMatchObject({ L0: 'ELIGIBLE', L5: 'INELIGIBLE', L9: 'ELIGIBLE' })
    expect((await sql`select from import_names where import_id = ${one.id}`.execute(server.db)).rows).toEqual([])
  })

  test('waits again after a confirmation if more people are missing on import', async () => {
    await mapEmployees()
    for (let at = 0; at < 2; at += 1) await person(`M${at}`)
    const one = await imported('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nM0,Mia Torres,Active,,\n')
    await good('POST', `/imports/${one.id}/apply`, { version: one.version, absent: 1 })
    await person('M2')
    await importFiles(server.services, () => false)
    const again = await good('GET', `/imports/${one.id}`)
    expect(again).toMatchObject({ status: 'PAUSED', absent: 2 })
    expect(await statuses()).toEqual({ M0: 'ELIGIBLE', M1: 'ELIGIBLE', M2: 'ELIGIBLE' })
    await good('POST', `/imports/${one.id}/apply`, { version: again.version, absent: 2 })
    const { body } = await upload('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nM0,Mia Torres,Active,19,\nM3,Ann Lee,Active,,\n')
    // Both are confirmed or small; while the first waits for a locked person, one more arrives who is not in it.
    const applied = await server.db.transaction().execute(async (tx) => {
      await sql`update employees set version = version + 1 where employer_id = ${employerId} and employee_code = 'M1'`.execute(tx)
      const waits = importFiles(server.services, () => false)
      await expect.poll(() => waitingForLocks(server)).toBe(1)
      await person('M4')
      return [waits]
    })
    await Promise.all(applied)
    expect(await good('GET', `/imports/${one.id}`)).toMatchObject({ status: 'PAUSED', absent: 3 })
    expect(await statuses()).toMatchObject({ M1: 'ELIGIBLE', M2: 'ELIGIBLE', M4: 'ELIGIBLE' })
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({ status: 'PAUSED', absent: 3 })
  })

  test('keeps the people whom it added, also if somebody changes them during the import', async () => {
    await mapEmployees()
    // Enough people that one missing is less than a tenth.
    const codes = Array.from({ length: 12 }, (_, at) => `N${at}`)
    for (const code of codes) await person(code)
    const lines = [...codes, 'ADDED'].map((code) => `${code},Ann Lee,Active,19,\n`)
    const { body } = await upload('acme_ee.csv', `Code,Name,Status,Rate,Hired\n${lines.join('')}`)
    const applied = await server.db.transaction().execute(async (tx) => {
      await sql`update employees set version = version + 1 where employer_id = ${employerId} and employee_code = 'N1'`.execute(tx)
      const waits = importFiles(server.services, () => false)
      await expect.poll(() => waitingForLocks(server)).toBe(1)
      return [waits]
    })
    await Promise.all(applied)
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({
      status: 'SUCCESS',
      created: 1,
      changed: 12,
      absent: 0,
      ended: 0,
    })
    expect((await statuses()).ADDED).toBe('ELIGIBLE')
  })

  test('ends only people with a terminated value if it is incremental', async () => {
    await mapEmployees()
    await good('POST', '/integrations', {
      organization_id: organizationId,
      type: 'CSV',
      import_types: ['ELIGIBLE_EMPLOYEE'],
      incremental: true,
      terminated_values: ['Gone'],
    })
    await person('E1')
    await person('E2')
    await person('E3')
    const done = await imported(
      'acme_ee.csv',
      'Code,Name,Status,Rate,Hired\nE1,Mia Torres,GONE,,\nE4,Ann Lee,Active,,\nE2,Mia Torres,Left,,\n',
    )
    expect(done).toMatchObject({ incremental: true, absent: 0, ended: 1, created: 1, rejected: 1 })
    expect(await statuses()).toEqual({ E1: 'TERMINATED', E2: 'ELIGIBLE', E3: 'ELIGIBLE', E4: 'ELIGIBLE' })
  })

  test('changes the status to which paused people resume, and leaves off-cycle paid ones alone', async () => {
    await mapEmployees()
    await person('F1', { status: 'PAUSED', linked: {} })
    await person('F2', { status: 'PAUSED' })
    await person('F3', { status: 'OFFCYCLE_PAID' })
    await person('F4', { status: 'TERMINATED' })
    await imported(
      'acme_ee.csv',
      'Code,Name,Status,Rate,Hired\nF1,Mia Torres,Leave,,\nF2,Mia Torres,Terminated,,\nF3,Mia Torres,Active,,\nF4,Mia Torres,Active,,\n',
    )
    const { rows } = await sql`select employee_code as code, status, status_before_pause as before, paused_at is null as running
      from employees where employer_id = ${employerId} order by employee_code`.execute(server.db)
    expect(rows).toEqual([
      { code: 'F1', status: 'PAUSED', before: 'INELIGIBLE', running: false },
      { code: 'F2', status: 'TERMINATED', before: null, running: true },
      { code: 'F3', status: 'OFFCYCLE_PAID', before: null, running: true },
      { code: 'F4', status: 'ELIGIBLE', before: null, running: true },
    ])
  })

  test('does nothing when repeated, and is applied again if another one came in between', async () => {
    await mapEmployees()
    const first = 'Code,Name,Status,Rate,Hired\nG1,Ann Lee,Active,18,\n'
    const second = 'Code,Name,Status,Rate,Hired\nG1,Ann Lee,Active,19,\n'
    const one = await imported('acme_ee.csv', first)
    expect(await imported('acme_20260106_ee.csv', first)).toMatchObject({
      status: 'DUPLICATED',
      message: `The same file was received before, as import ${one.id}. Nothing was done.`,
    })
    expect(await imported('acme_ee.csv', second)).toMatchObject({ status: 'SUCCESS', changed: 1 })
    expect(await imported('acme_ee.csv', first)).toMatchObject({ status: 'SUCCESS', changed: 1 })
    expect((await employees())[0]?.rate_amount).toBe(1800)
  })

  test('is imported again after rejected lines, and once if sent several times concurrently', async () => {
    await mapEmployees()
    const text = 'Code,Name,Status,Rate,Hired\nR1,Ann Lee,Active,,\nR2,Bo Yu,Odd,,\n'
    await person('R2')
    expect(await imported('acme_ee.csv', text)).toMatchObject({ status: 'SUCCESS', created: 1, rejected: 1 })
    expect(await imported('acme_ee.csv', text)).toMatchObject({ status: 'SUCCESS', created: 0, rejected: 1 })
    const good = 'Code,Name,Status,Rate,Hired\nR1,Ann Lee,Active,,\n'
    const all = await Promise.all([1, 2, 3].map(() => upload('acme_ee.csv', good)))
    const ids = all.map(({ body }) => Number(body.id))
    const { rows } = await sql<{ status: string }>`select status from imports where id = any(${ids}) order by status`.execute(
      server.db,
    )
    expect(rows.map(({ status }) => status)).toEqual(['DUPLICATED', 'DUPLICATED', 'PENDING'])
    await importFiles(server.services, () => false)
  })

  test('of another employer has its lines rejected by the employer code', async () => {
    await mapEmployees([...eeColumns, { header: 'Company', field: 'employer_code' }])
    const code = `HA-1`
    const done = await imported(
      'acme_ee.csv',
      `Code,Name,Status,Rate,Hired,Company\nH1,Ann Lee,Active,,,${code}\nH2,Bo Yu,Active,,,HA-9\n`,
    )
    expect(done).toMatchObject({ accepted: 1, rejected: 1 })
    expect(await faults(done.id)).toEqual([[3, 'Employer code', 'No employer of the organization has the code HA-9.']])
  })
})

describe('a line with broken quotes', () => {
  test('is rejected alone, and its people are not absent; a quoted nickname is part of the name', async () => {
    await mapEmployees()
    for (const code of ['Q1', 'Q2', 'Q3', 'Q4', 'Q5']) await person(code, { firstName: 'Mia', lastName: 'Torres' })
    const done = await imported(
      'acme_ee.csv',
      'Code,Name,Status,Rate,Hired\nQ1,Robert "Bob" Smith,Active,20,\nQ2,Mia",Active,20,\nQ3,"Ann "A" Lee",Active,21,\nQ4",Bo Yu,Active,22,\nQ5,"Lee, Cy",Active,23,\n',
    )
    expect(done).toMatchObject({ status: 'SUCCESS', lines: 5, accepted: 2, rejected: 3, absent: 0, ended: 0, changed: 2 })
    expect(await faults(done.id)).toEqual([
      [3, 'column 2', 'A quote stands inside of a cell without a second one. Does the cell lack one at its beginning?'],
      [4, 'column 2', 'Something stands behind a closing quote. A quote inside of a cell is written twice.'],
      [5, 'column 1', 'A quote stands inside of a cell without a second one. Does the cell lack one at its beginning?'],
    ])
    expect((await employees()).map(({ first_name, last_name, rate_amount }) => [first_name, last_name, rate_amount])).toEqual([
      ['Robert "Bob"', 'Smith', 2000],
      ['Mia', 'Torres', 2150],
      ['Mia', 'Torres', 2150],
      ['Mia', 'Torres', 2150],
      ['Cy', 'Lee', 2300],
    ])
    const { rows } = await sql<{
      content: string
    }>`select content from import_faults where import_id = ${done.id} order by line`.execute(server.db)
    expect(rows.map(({ content }) => content)).toEqual([
      'Q2,"Mia""",Active,20,',
      'Q3,"""Ann ""A"" Lee""",Active,21,',
      '"Q4""",Bo Yu,Active,22,',
    ])
  })
})

test('a file is imported again once some of its lines start to count', async () => {
  await mapTime([...tkColumns, { header: 'Kind', field: 'pay_code' }])
  const { id } = await person('A1', { linked: {}, balance: { available: 0 } })
  const day = (await sql<{ day: string }>`select business_date() as day`.execute(server.db)).rows[0]?.day
  await sql`update configurations set pay_codes = '{REG}' where organization_id = ${organizationId}`.execute(server.db)
  const file = `Code,Day,Hours,Kind\nA1,${day},4,REG\nA1,${day},3,OT\n`
  const first = await imported('acme_tk.csv', file)
  expect(first).toMatchObject({
    status: 'SUCCESS',
    accepted: 2,
    created: 1,
    message: '1 line has a pay code that does not count.',
  })
  await sql`update configurations set pay_codes = '{REG,OT}' where organization_id = ${organizationId}`.execute(server.db)
  expect(await imported('acme_tk.csv', file)).toMatchObject({ status: 'SUCCESS', created: 1, message: null })
  const { rows } = await sql<{
    minutes: number
  }>`select minutes from time_entries where employee_id = ${id} order by minutes`.execute(server.db)
  expect(rows.map(({ minutes }) => minutes)).toEqual([180, 240])
  expect((await imported('acme_tk.csv', file)).status).toBe('DUPLICATED')
  // And once the mapping that reads it was changed.
  await sql`update mappings set updated_at = now() + interval '1 second' where employer_id = ${employerId} and kind = 'TIMEKEEPING'`.execute(
    server.db,
  )
  expect((await imported('acme_tk.csv', file)).status).toBe('SUCCESS')
})

describe('an unreadable file', () => {
  test('is refused as a whole with a reason and its place, and changes nothing', async () => {
    await mapEmployees()
    await person('K1')
    const of = async (text: string | Buffer, name = 'acme_ee.csv') => {
      const { status, message } = await imported(name, text)
      return [status, message]
    }
    expect(await of('Code,Name,Status,Hired\nK1,Mia Torres,Active,\n')).toEqual([
      'FAIL',
      'Line 1, Rate: The file has no such column.',
    ])
    expect(await of('')).toEqual(['FAIL', 'Line 1: The file is empty.'])
    expect(await of('Code,Name,Status,Rate,"Hired\nK1,Mia,Active,,\n')).toEqual([
      'FAIL',
      'Line 1, column 5: A quote is opened here and never closed.',
    ])
    // Some of its letters are UTF-8, so it is not a text in another encoding.
    const damaged = Buffer.concat([Buffer.from('Zoë,'), Buffer.from([0xff, 0x0a])])
    expect((await of(damaged))[1]).toMatch(/^Line 1, column 5: The text is not UTF-8/)
    expect(await of('PK\x03\x04 and more')).toEqual([
      'FAIL',
      'Line 1: This is a workbook (.xlsx), though its name says .csv. Rename it, or save it as .csv.',
    ])
    expect(await statuses()).toEqual({ K1: 'ELIGIBLE' })
  })

  test('of nothing but separators is given up, and blocks nobody', async () => {
    await mapEmployees()
    const { body } = await upload('acme_ee.csv', Buffer.alloc(23_000_000, ','))
    expect(await largestTurn(() => importFiles(server.services, () => false, 'large'))).toBeLessThan(0.3)
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({
      status: 'FAIL',
      message: 'Line 1: The line has over 1,000,000 characters. Is a quote opened in it that is never closed?',
    })
  })

  test('with very many short lines blocks nobody, as text or workbook', async () => {
    await mapEmployees()
    const short = Array.from({ length: 20_000 }, () => ['a'])
    const head = eeColumns.map(({ header }) => header)
    for (const [name, content] of [
      ['acme_ee.csv', `${head.join(',')}\n${short.join('\n')}`],
      ['acme_ee.xlsx', Buffer.from(workbook([head, ...short]))],
    ] as const) {
      const { body } = await upload(name, content)
      const share = await largestTurn(() => importFiles(server.services, () => false))
      expect(await good('GET', `/imports/${body.id}`)).toMatchObject({ status: 'FAIL', lines: 20_000, rejected: 20_000 })
      expect(share, name).toBeLessThan(0.3)
    }
  })

  test('with a very long line shows its beginning in the rejected lines', async () => {
    await mapEmployees()
    const done = await imported('acme_ee.csv', `Code,Name,Status,Rate,Hired\nL1,${'x'.repeat(60_000)},Gone,none,never\n`)
    const { rejected_lines: lines } = await good('GET', `/imports/${done.id}/rejected-lines`)
    expect(lines.length).toBeGreaterThan(0)
    for (const { content } of lines) expect([content.slice(0, 5), content.length]).toEqual(['L1,xx', 2_001])
  })

  /** Reads a file in a process of its own. */
  const readWithin = (
    open: () => AsyncIterable<Uint8Array>,
    name: string,
    limits?: { megabytes: number; milliseconds: number },
    signal?: AbortSignal,
  ) => {
    const by = { kind: 'EMPLOYEE' as const, columns: [{ header: 'Code', field: 'employee_code' as const }], header_line: 1 }
    const handlers = { open, begin: async () => {}, batch: async () => {} }
    return readFileApart({ name, size: 1_000, by, answers: {} }, handlers, signal, limits)
  }
  const readWorkbook = (bytes: Uint8Array, limits: { megabytes: number; milliseconds: number }) =>
    readWithin(
      async function* () {
        yield bytes
      },
      'acme_ee.xlsx',
      limits,
    )

  test('is read in a separate process, which ends when the file is rejected', async () => {
    const rejected = new AbortController()
    let pieces = 0
    const endless = async function* () {
      for (;;) {
        pieces += 1
        if (pieces === 3) rejected.abort(new Error('rejected'))
        yield Buffer.alloc(1_000_000, 'Code\n')
      }
    }
    await expect(readWithin(endless, 'acme_ee.csv', undefined, rejected.signal)).rejects.toThrow('rejected')
    expect(pieces).toBe(3)
    const tooMuch = 'The file takes too much to read. Send it in parts.'
    await expect(readWithin(endless, 'acme_ee.csv', { megabytes: 500, milliseconds: 1 })).rejects.toThrow(tooMuch)
  })

  test('of nothing but line ends fails with a sentence', async () => {
    await mapEmployees()
    expect((await imported('acme_ee.csv', `Code,Name,Status,Rate,Hired\n${'\n'.repeat(600_000)}`)).message).toBe(
      'Line 1: There are headers and no lines below them.',
    )
    expect((await imported('acme_ee.csv', '\n'.repeat(2_100_000))).message).toBe('Line 1: The first line has no headers.')
  })

  test('a workbook is parsed in a separate process, and a memory bomb ends only that process', async () => {
    await mapEmployees()
    const head = ['Code', 'Name', 'Status', 'Rate', 'Hired']
    const good = await imported('acme_ee.xlsx', Buffer.from(workbook([head, ['W1', 'Ann Lee', 'Active', { number: 20.5 }, '']])))
    expect(good).toMatchObject({ status: 'SUCCESS', created: 1 })
    // Three cells at the far corners of a sheet.
    const cell = (at: string) => `<c r="${at}"><v>1</v></c>`
    const xml = `<worksheet><sheetData><row r="1">${cell('A1')}${cell('XFD1')}</row><row r="1048576">${cell('A1048576')}</row></sheetData></worksheet>`
    const bomb = zipSync({ ...workbookParts([head]), 'xl/worksheets/sheet1.xml': strToU8(xml) })
    expect((await imported('acme_ee.xlsx', Buffer.from(bomb))).message).toBe(
      'Line 1,048,576, column 16384: The sheet reaches to line 1,048,576 and column XFD. Delete what is outside of the table, or save it as .csv.',
    )
    const large = workbook(Array.from({ length: 20_000 }, (_, at) => [`W${at}`, 'Ann Lee', 'Active', '', '']))
    const tooMuch = 'The workbook takes too much to read. Save its first sheet as .csv.'
    await expect(readWorkbook(large, { megabytes: 12, milliseconds: 60_000 })).rejects.toThrow(tooMuch)
    await expect(readWorkbook(large, { megabytes: 500, milliseconds: 1 })).rejects.toThrow(tooMuch)
    // Empty cells, which fill the memory faster than a thread could be ended.
    const row = `<row>${'<c/>'.repeat(100)}</row>`
    const sheet = `<worksheet><sheetData><row><c t="inlineStr"><is><t>€</t></is></c></row>${row.repeat(9_500)}</sheetData></worksheet>`
    const empty = zipSync({ ...workbookParts([head]), 'xl/worksheets/sheet1.xml': strToU8(sheet) })
    await expect(readWorkbook(empty, { megabytes: 40, milliseconds: 60_000 })).rejects.toThrow(tooMuch)
    expect(await statuses()).toEqual({ W1: 'ELIGIBLE' })
  })

  test('[ERR-040, ERR-041] without a mapping, with two, or without configurations it fails immediately', async () => {
    const at = 'Code,Name,Status,Rate,Hired\n'
    expect((await upload('acme_ee.csv', at)).body).toMatchObject({ status: 'FAIL', message: 'File mapping not found' })
    await mapEmployees()
    await sql`delete from configurations where organization_id = ${organizationId}`.execute(server.owner)
    expect((await upload('acme_ee.csv', at)).body).toMatchObject({
      status: 'FAIL',
      message: 'Unable to map file, Configurations need to be setup.',
    })
    await sql`insert into mappings (kind, employer_id, file_name, file_key, columns)
      values ('EMPLOYEE', ${sister}, 'acme_ee.csv', 'acme', '[]')`.execute(server.db)
    expect((await upload('acme_ee.csv', at, { organization_id: organizationId })).body.message).toMatch(
      /^Several mappings read files of this name, of Harbor \d+ Works 1, Harbor \d+ Works 2\.$/,
    )
  })

  test('is refused on upload for a wrong name, a wrong content, or its size', async () => {
    expect(refusedFields(await upload('acme.csv', 'a'))).toEqual({
      file: 'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx. Other names need a confirmation file mapping.',
    })
    expect(refusedFields(await upload('../a_ee.csv', 'a'))).toHaveProperty('file')
    const broken = await send('POST', '/imports', { employer_id: employerId, file: { name: 'acme_ee.csv', content: '***' } })
    expect(refusedFields(broken)).toEqual({ 'file.content': 'This is no base64 text.' })
    const large = await send('POST', '/imports', {
      employer_id: employerId,
      file: { name: 'acme_ee.csv', content: inBase64(Buffer.alloc(largestUpload + 3)) },
    })
    expect(refusedFields(large)).toEqual({ 'file.content': 'A file has at most 32 MB.' })
    const larger = await send('POST', '/imports', { employer_id: employerId, file: 'x'.repeat(1.4 * largestUpload) })
    expect(larger.status).toBe(413)
  })
})

test('the filter by who uploaded a file is about the person who asks', async () => {
  await mapEmployees()
  const other = await personWith(server, [2, 3, 4, 8, 1020], 'Otis Other')
  const header = 'Code,Name,Status,Rate,Hired'
  const mine = await imported('acme_ee.csv', `${header}\nA1,Mia Torres,Active,,`)
  const { body: theirs } = await upload(
    'acme_ee.csv',
    `${header}\nA1,Mia Torres,Active,,\nA2,Noa Reed,Active,,`,
    undefined,
    other,
  )
  const idsOf = async (filter: string, who?: SignedIn) => {
    const { body } = await send('GET', `/imports?${filter}&organization-id=${organizationId}`, undefined, who)
    return body.imports.map(({ id }: { id: number }) => id)
  }
  expect(await idsOf('mine=YES')).toEqual([mine.id])
  expect(await idsOf('mine=NO')).toEqual([theirs.id])
  expect(await idsOf('mine=YES', other)).toEqual([theirs.id])
  const { count } = await good('GET', `/imports/count?mine=YES&organization-id=${organizationId}`)
  expect(count).toBe(1)
})

describe('a file without an accepted line', () => {
  const needsAttention = async () =>
    (await good('GET', `/imports?waiting=YES&organization-id=${organizationId}`)).imports.map(({ id }: { id: number }) => id)

  test('fails, ends nobody, keeps its rejected lines and needs attention', async () => {
    await mapEmployees()
    await person('A1')
    await person('A2')
    const lines = 'Code,Name,Status,Rate,Hired\nA1,Mia Torres,Active,much,\n,No Body,Active,,\n'
    const done = await imported('acme_ee.csv', lines)
    expect(done).toMatchObject({
      status: 'FAIL',
      message:
        'All 2 lines of the file were rejected, so nothing was imported. Correct the rejected lines, and send the file again.',
      lines: 2,
      accepted: 0,
      rejected: 2,
      created: 0,
      changed: 0,
      ended: 0,
      absent: 0,
      finished_at: expect.any(String),
    })
    expect(await statuses()).toEqual({ A1: 'ELIGIBLE', A2: 'ELIGIBLE' })
    expect((await faults(done.id)).map(([line]) => line)).toEqual([2, 3])
    expect(await needsAttention()).toEqual([done.id])
    // The same bytes are read again, not dismissed as a duplicate.
    expect((await imported('acme_ee.csv', lines)).status).toBe('FAIL')
    const whole = 'Code,Name,Status,Rate,Hired\nA1,Mia Torres,Active,,\nA2,Mia Torres,Active,,\n'
    expect((await imported('acme_ee.csv', whole)).status).toBe('SUCCESS')
    expect(await needsAttention()).toEqual([])
  })

  test('of timekeeping fails, too, and withdraws no hours', async () => {
    await mapTime()
    await person('A1', { linked: {}, balance: { available: 0 } })
    const day = (await sql<{ day: string }>`select business_date() as day`.execute(server.db)).rows[0]?.day
    expect((await imported('acme_tk.csv', `Code,Day,Hours\nA1,${day},8\n`)).status).toBe('SUCCESS')
    const done = await imported('acme_tk.csv', `Code,Day,Hours\nA1,${day},many\n`)
    expect(done).toMatchObject({
      status: 'FAIL',
      message:
        'The only line of the file was rejected, so nothing was imported. Correct the rejected lines, and send the file again.',
      accepted: 0,
      rejected: 1,
      changed: 0,
    })
    const { rows } = await sql<{ minutes: number; status: string }>`select t.minutes, t.status from time_entries t
      join employees e on e.id = t.employee_id where e.employer_id = ${employerId}`.execute(server.db)
    expect(rows).toEqual([{ minutes: 480, status: 'AUTO' }])
    expect(await needsAttention()).toEqual([done.id])
  })
})

describe('the people of an import', () => {
  const people = async (id: number, query = '', as = admin) =>
    (await good('GET', `/imports/${id}/people?${query}`, undefined, as)).people.map(({ id: _, ...one }: { id: number }) => one)
  const whole = 'Code,Name,Status,Rate,Hired\n'

  test('are listed by the effect of the file, and found by name, code and effect', async () => {
    await mapEmployees()
    await person('A1', { firstName: 'Mia', lastName: 'Torres' })
    await person('A2', { firstName: 'Ben', lastName: 'Yu' })
    await person('A3', { firstName: 'Cy', lastName: 'Same' })
    const { id, ...done } = await imported(
      'acme_ee.csv',
      `${whole}A1,Maria Torres,Active,25,\nA2,Ben Yu,Terminated,,\nA3,Cy Same,Active,,\nA4,Ann Lee,Active,18,\n`,
    )
    expect(done).toMatchObject({ status: 'SUCCESS', lists_people: true, created: 1, changed: 2, ended: 1 })
    const ann = {
      employee_code: 'A4',
      name: 'Ann Lee',
      effect: 'CREATED',
      status_before: null,
      status_after: 'ELIGIBLE',
      fields: [],
      undo: null,
    }
    const ben = {
      employee_code: 'A2',
      name: 'Ben Yu',
      effect: 'ENDED',
      status_before: 'ELIGIBLE',
      status_after: 'TERMINATED',
      fields: ['status'],
      undo: null,
    }
    const maria = {
      employee_code: 'A1',
      name: 'Maria Torres',
      effect: 'CHANGED',
      status_before: null,
      status_after: null,
      fields: ['first_name', 'rate_amount'],
      undo: null,
    }
    expect(await people(id)).toEqual([ann, maria, ben])
    expect(await people(id, 'effect=ENDED,CREATED')).toEqual([ann, ben])
    expect(await people(id, 'q=torres')).toEqual([maria])
    expect(await people(id, 'q=A2')).toEqual([ben])
    expect(await good('GET', `/imports/${id}/people/count?effect=CHANGED`)).toEqual({ count: 1, exact: true })
    // A changed wage is hidden without the permission for wages.
    const clerk = await personWith(server, [2, 1020], 'Cleo Clerk')
    expect((await people(id, 'effect=CHANGED', clerk))[0].fields).toEqual(['first_name'])
    const stranger = await personWith(server, [2, 8, 1020], 'Sam Stranger', 'ACCOUNT_MANAGER')
    expect((await send('GET', `/imports/${id}/people`, undefined, stranger)).status).toBe(404)
    const importer = await personWith(server, [1020], 'Ira Importer')
    expect((await send('GET', `/imports/${id}/people`, undefined, importer)).status).toBe(403)
  })

  test('are restored by an undo of the import, except those changed since', async () => {
    await mapEmployees()
    await person('A1', { firstName: 'Mia', lastName: 'Torres' })
    const moved = await person('A2', { firstName: 'Ben', lastName: 'Yu' })
    await person('A3', { firstName: 'Cy', lastName: 'Gone' })
    await person('A5', { firstName: 'Di', lastName: 'Worked' })
    const before = await employees()
    const more = Array.from({ length: 8 }, (_, at) => `B${at},New Person,Active,,\n`).join('')
    const done = await imported(
      'acme_ee.csv',
      `${whole}A1,Maria Torres,Active,25,\nA2,Ben Yu,Terminated,,\nA3,Cy Gone,Inactive,,\nA5,Di Worked,Inactive,,\n${more}`,
    )
    expect(done).toMatchObject({ status: 'SUCCESS', created: 8, changed: 4, undone_at: null, followed_by: null })
    await sql`update employees set status = 'ELIGIBLE', version = version + 1 where id = ${moved.id}`.execute(server.db)
    // A change to other fields is no reason to skip somebody.
    await sql`update employees set version = version + 1, updated_at = now() where employee_code = 'A5' and employer_id = ${employerId}`.execute(
      server.db,
    )
    const undone = await good('POST', `/imports/${done.id}/undo`, { version: done.version })
    expect(undone).toMatchObject({
      status: 'REJECTED',
      message: 'Undone for 11 employees. 1 was changed since and stays: the list of people names them.',
      undone_at: expect.any(String),
    })
    const after = await employees()
    for (const one of before.filter(({ employee_code }) => employee_code !== 'A2')) expect(after).toContainEqual(one)
    expect((await statuses())['A2']).toBe('ELIGIBLE')
    // Records are never deleted: a created person is no longer eligible.
    expect((await statuses())['B0']).toBe('INELIGIBLE')
    expect(await people(done.id, 'undo=SKIPPED')).toMatchObject([{ name: 'Ben Yu', undo: 'SKIPPED' }])
    const { rows } = await sql<{ text: string; actor_name: string }>`select text, actor_name from audit_events
      where entity = 'employee' and intent = 'import.undo' and text = ${`Import ${done.id} undone`}`.execute(server.db)
    expect(rows).toHaveLength(11)
    expect(rows[0]?.actor_name).toBe('Ada Admin')
    const [event] = (await good('GET', `/imports/${done.id}/history`)).events
    expect(event).toMatchObject({ status: 'Import undone' })
    const again = await send('POST', `/imports/${done.id}/undo`, { version: undone.version })
    expect(again.body).toMatchObject({ code: 'status-forbids', detail: 'Only a file that was imported can be undone.' })
    // The same file may come again.
    expect((await upload('acme_ee.csv', `${whole}A1,Mia Torres,Active,,\n`)).body.status).toBe('PENDING')
  })

  test('cannot be restored after a later file, after seven days, or if nobody was changed', async () => {
    await mapEmployees()
    await person('A1', { firstName: 'Mia', lastName: 'Torres' })
    const refusal = async ({ id }: { id: number }) => {
      const { version } = await good('GET', `/imports/${id}`)
      return (await send('POST', `/imports/${id}/undo`, { version })).body.detail
    }
    const first = await imported('acme_ee.csv', `${whole}A1,Maria Torres,Active,,\n`)
    const second = await imported('acme_ee.csv', `${whole}A1,Maria Torres,Active,,\nA2,Ann Lee,Active,,\n`)
    expect(await refusal(first)).toBe(`Import ${second.id} of this employer came after this one. Undo that one first.`)
    const same = await imported('acme_ee.csv', `${whole}A2,Ann Lee,Active,,\nA1,Maria Torres,Active,,\n`)
    expect(await refusal(same)).toBe('This import changed nobody.')
    await sql`update imports set finished_at = now() - interval '8 days' where id = ${same.id}`.execute(server.db)
    await sql`update imports set changed = 1 where id = ${same.id}`.execute(server.db)
    expect(await refusal(same)).toBe('An import can be undone for 7 days.')
    expect((await statuses())['A2']).toBe('ELIGIBLE')
  })
})

describe('corrected lines of an import', () => {
  const whole = 'Code,Name,Status,Rate,Hired\n'

  test('are imported separately, by the mapping of the file, and end nobody else', async () => {
    await mapEmployees()
    for (const code of ['A1', 'A2', 'A3']) await person(code)
    const done = await imported(
      'acme_ee.csv',
      `${whole}A1,Mia Torres,Active,,\nA2,Mia Torres,Active,,\nA3,Mia Torres,Active,,\nA4,Ann Lee,Active,much,\n`,
    )
    expect(done).toMatchObject({ status: 'SUCCESS', rejected: 1, incremental: false })
    const answer = await fetch(`${server.origin}/api/imports/${done.id}/rejected-lines/file`, { headers: admin.headers })
    const mended = (await answer.text()).replace('much', '18')
    const { status, body } = await send('POST', `/imports/${done.id}/mended`, {
      file: { name: 'rejected-acme_ee.csv', content: inBase64(mended) },
    })
    expect([status, body.mends, body.employer_id, body.file_name]).toEqual([201, done.id, employerId, 'rejected-acme_ee.csv'])
    await importFiles(server.services, () => false)
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({
      status: 'SUCCESS',
      incremental: true,
      accepted: 1,
      created: 1,
      ended: 0,
      absent: 0,
    })
    expect(await statuses()).toEqual({ A1: 'ELIGIBLE', A2: 'ELIGIBLE', A3: 'ELIGIBLE', A4: 'ELIGIBLE' })
  })

  test('are refused for a file without rejected lines, for hours, and with another file type', async () => {
    await mapEmployees()
    const uploadCorrected = (id: number, name = 'rejected.csv') =>
      send('POST', `/imports/${id}/mended`, { file: { name, content: inBase64(whole) } })
    const good_ = await imported('acme_ee.csv', `${whole}A1,Ann Lee,Active,,\n`)
    expect((await uploadCorrected(good_.id)).body.detail).toBe('No line of this file was rejected.')
    const failed = await imported('acme_ee.csv', `${whole}A1,Ann Lee,Active,much,\n`)
    expect(refusedFields(await uploadCorrected(failed.id, 'rejected.txt'))).toEqual({
      file: 'The file name must end with .csv or .xlsx.',
    })
    await mapTime()
    const time = await imported('acme_tk.csv', 'Code,Day,Hours\nX9,2026-01-02,8\n')
    expect((await uploadCorrected(time.id)).body.detail).toBe(
      'Only lines of employee files are imported alone. Send all lines of the days again.',
    )
  })
})

test('files of all staff that shrink gradually are reported, with the number of people of each', async () => {
  await mapEmployees()
  const codes = Array.from({ length: 40 }, (_, at) => `S${String(at).padStart(2, '0')}`)
  const file = (count: number) =>
    `Code,Name,Status,Rate,Hired\n${codes
      .slice(0, count)
      .map((code) => `${code},Mia Torres,Active,,\n`)
      .join('')}`
  const results = []
  for (const count of [40, 38, 37, 35]) results.push(await imported('acme_ee.csv', file(count)))
  expect(results.map(({ status, absent, message }) => [status, absent, message])).toEqual([
    ['SUCCESS', 0, null],
    ['SUCCESS', 2, null],
    ['SUCCESS', 1, null],
    [
      'SUCCESS',
      2,
      'The last 4 files left out 5 of 40 employees together, though each left out few. They had 40, 38, 37 and 35 people. Ask the customer whether that is right.',
    ],
  ])
})

describe('an expected file', () => {
  /** Files that arrived N days ago, each imported. */
  const addImports = async (ago: readonly number[], status = 'SUCCESS') => {
    for (const days of ago)
      await sql`insert into imports (organization_id, employer_id, kind, source, file_name, file_key, size, hash, status, received_by,
          received_by_name, received_at, finished_at)
        select ${organizationId}, ${employerId}, 'EMPLOYEE', 'SFTP', 'acme_ee.csv', 'acme', 1, ${`h${days}`}, ${status}, 's', 's', at, at
        from (select (business_date() - ${days}::int)::timestamp + interval '18 hours' as at) arrival`.execute(server.db)
  }
  const late = async () =>
    (await good('GET', `/employers?late=YES&organization-id=${organizationId}`)).employers.map(({ id }: { id: number }) => id)

  test.each([
    ['weekly, nine days after the last', [37, 30, 23, 16, 9], true],
    ['weekly, on its day', [35, 28, 21, 14, 7], false],
    ['weekly with a week left out once, nine days after', [93, 86, 79, 72, 65, 58, 51, 37, 30, 23, 16, 9].slice(1), true],
    ['every two weeks, ten days after', [52, 38, 24, 10], false],
    ['every two weeks, sixteen days after', [58, 44, 30, 16], true],
    ['monthly, 33 days after', [125, 94, 64, 33], true],
    ['monthly, 20 days after', [111, 81, 51, 20], false],
    ['on working days, after a weekend', [10, 9, 8, 7, 6, 3].toSorted((a, b) => b - a), false],
    ['on working days, five days after', [16, 15, 14, 13, 12, 9, 8, 7, 6, 5], true],
    ['three times without a rhythm yet', [40, 33, 26], false],
    ['weekly until 100 days ago', [121, 114, 107, 100], false],
  ])('%s', async (_, ago, expected) => {
    await mapEmployees()
    await addImports(ago)
    expect(await late()).toEqual(expected ? [employerId] : [])
    // The list of mappings says which one it is.
    const { mappings } = await good('GET', `/mappings/employees?employer-id=${employerId}`)
    expect(mappings.map((one: { late: boolean }) => one.late)).toEqual([expected])
  })

  test('that is late needs attention until any file of its name arrives', async () => {
    await mapEmployees()
    await addImports([37, 30, 23, 16, 9])
    await countFigures(server.db)
    const { lines } = await good('GET', '/dashboard/summary')
    expect(lines['late-files'].count).toBe((await good('GET', '/employers/count?late=YES')).count)
    expect(lines['late-files'].count).toBeGreaterThan(0)
    await addImports([1], 'FAIL')
    expect(await late()).toEqual([])
  })
})

test('that failed needs attention until another one arrives or it is rejected, also in counts', async () => {
  const waiting = async () =>
    (await good('GET', `/imports?waiting=YES&organization-id=${organizationId}`)).imports.map(({ id }: { id: number }) => id)
  const failed = (await upload('acme_ee.csv', 'x')).body
  const other = (await upload('other_ee.csv', 'x')).body
  expect(await waiting()).toEqual([other.id, failed.id])
  await countFigures(server.db)
  const { headers } = await personWith(server, [1020, 2], 'Ira Importer')
  const { lines } = await good('GET', '/dashboard/summary', undefined, { headers } as never)
  expect(lines['imports-waiting'].count).toBe((await good('GET', '/imports/count?waiting=YES')).count)
  await mapEmployees()
  await imported('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nQ1,Ann Lee,Active,18,\n')
  expect(await waiting()).toEqual([other.id])
  await good('POST', `/imports/${other.id}/reject`, { version: other.version })
  expect(await waiting()).toEqual([])
})

describe('a timekeeping file', () => {
  const earned = async (id: number) =>
    (
      await sql<{ earned: number; limit: number }>`select earned_amount as earned, limit_amount as limit from work_period_balances
        where employee_id = ${id} and is_open`.execute(server.db)
    ).rows[0]
  const entries = async (id: number) =>
    (
      await sql<{ day: string; minutes: number; cents: number; status: string }>`
        select work_date as day, minutes, earned_amount as cents, status from time_entries where employee_id = ${id} order by id`.execute(
        server.db,
      )
    ).rows
  const start = async (id: number) =>
    (
      await sql<{ start: string }>`update work_period_balances set earned_amount = 0, limit_amount = 0 where employee_id = ${id}
        returning work_period_start as start`.execute(server.db)
    ).rows[0]?.start as string

  test('adds entries, of which those within the daily limit count as earned immediately', async () => {
    await mapTime()
    await sql`update configurations set daily_hours_limit = 8, timekeeping_approval_threshold = 0 where organization_id = ${organizationId}`.execute(
      server.db,
    )
    const { id } = await person('T1', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const done = await imported('acme_tk.csv', `Code,Day,Hours\nT1,${day},7.5\nT1,${day},9\nT9,${day},8\n`)
    expect(done).toMatchObject({ status: 'SUCCESS', kind: 'TIMEKEEPING', created: 2, rejected: 1 })
    expect(await faults(done.id)).toEqual([[4, null, 'Nobody is named T9.']])
    expect(await entries(id)).toEqual([
      { day, minutes: 450, cents: 150_00, status: 'AUTO' },
      { day, minutes: 540, cents: 180_00, status: 'PENDING' },
    ])
    // Half of 150.00 can be withdrawn.
    expect(await earned(id)).toEqual({ earned: 150_00, limit: 75_00 })
  })

  test('[ENT-054] applies the daily limit to the day, across lines and files', async () => {
    await mapTime()
    await sql`update configurations set daily_hours_limit = 8, timekeeping_approval_threshold = 0 where organization_id = ${organizationId}`.execute(
      server.db,
    )
    const { id } = await person('T5', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const made = async () => (await entries(id)).map(({ minutes, status }) => [minutes, status])
    await imported('acme_tk.csv', `Code,Day,Hours\nT5,${day},3\nT5,${day},4.5\nT5,${day},1\nT5,${day},0.5\n`)
    // 3 and 4.5 are within 8 hours; anything after that exceeds the limit, however little.
    expect(await made()).toEqual([
      [180, 'AUTO'],
      [270, 'AUTO'],
      [60, 'PENDING'],
      [30, 'PENDING'],
    ])
    expect(await earned(id)).toEqual({ earned: 150_00, limit: 75_00 })
    // Already stored hours count, and those that this file corrects do not.
    await imported('acme_tk.csv', `Code,Day,Hours\nT5,${day},4.5\nT5,${day},3.5\nT5,${day},0.25\n`)
    expect((await made()).filter(([, status]) => status !== 'REJECTED')).toEqual([
      [270, 'AUTO'],
      [210, 'AUTO'],
      [15, 'PENDING'],
    ])
    expect(await earned(id)).toEqual({ earned: 160_00, limit: 80_00 })
    const reader = await personWith(server, [6], 'Tess Time')
    const [entry] = (await good('GET', `/timekeeping?employee-id=${id}&status=PENDING`, undefined, reader)).time_entries
    expect(entry).toMatchObject({ minutes: 15, day_minutes: 495 })
  })

  test('with the same days adds nothing, and one that corrects a day withdraws the wrong hours', async () => {
    await mapTime()
    await sql`update configurations set daily_hours_limit = 12, timekeeping_approval_threshold = 0 where organization_id = ${organizationId}`.execute(
      server.db,
    )
    const { id } = await person('T2', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    await imported('acme_tk.csv', `Code,Day,Hours\nT2,${day},8\n`)
    expect(await imported('acme_tk.csv', `Code,Day,Hours\nT2,${day},8\n\n`)).toMatchObject({ created: 0, changed: 0 })
    expect(await earned(id)).toMatchObject({ earned: 160_00 })
    expect(await imported('acme_tk.csv', `Code,Day,Hours\nT2,${day},6\n`)).toMatchObject({ created: 1, changed: 1 })
    expect((await entries(id)).map(({ minutes, status }) => [minutes, status])).toEqual([
      [480, 'REJECTED'],
      [360, 'AUTO'],
    ])
    expect(await earned(id)).toEqual({ earned: 120_00, limit: 60_00 })
  })

  const limitOf = (hours: number) =>
    sql`update configurations set daily_hours_limit = ${hours}, timekeeping_approval_threshold = 0 where organization_id = ${organizationId}`.execute(
      server.db,
    )
  const made = async (id: number) => (await entries(id)).map(({ minutes, cents, status }) => [minutes, cents, status])
  const decide = async (employee: number, minutes: number, body: { status: string; reason?: string }) => {
    const approver = await personWith(server, [6, 8, 10, 15], 'Tia Approver')
    const { time_entries } = await good('GET', `/timekeeping?employee-id=${employee}`, undefined, approver)
    const { id, version } = time_entries.find((one: { minutes: number }) => one.minutes === minutes)
    await good('PATCH', `/timekeeping/${id}`, { ...body, version }, approver)
  }

  test('with existing hours leaves them as they are, also after a raise', async () => {
    await mapTime()
    await limitOf(8)
    const { id } = await person('T6', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    await imported('acme_tk.csv', `Code,Day,Hours\nT6,${day},10\nT6,${next},8\nT6,${next},0.5\n`)
    await decide(id, 600, { status: 'APPROVED' })
    await decide(id, 480, { status: 'REJECTED', reason: 'Not on site' })
    await sql`update employees set rate_amount = 2200 where id = ${id}`.execute(server.db)
    const again = await imported('acme_tk.csv', `Code,Day,Hours\nT6,${day},10\nT6,${next},8\nT6,${next},0.5\nT6,${next},1\n`)
    expect(again).toMatchObject({ created: 1, changed: 0, rejected: 0 })
    expect(await made(id)).toEqual([
      [600, 200_00, 'APPROVED'],
      [480, 160_00, 'REJECTED'],
      [30, 10_00, 'PENDING'],
      [60, 22_00, 'AUTO'],
    ])
    expect(await earned(id)).toMatchObject({ earned: 222_00 })
  })

  test('with another name leaves the hours of this one alone', async () => {
    await mapTime()
    await good('POST', '/mappings/timekeepings', { employer_id: employerId, file_name: 'south_tk.csv', columns: tkColumns })
    await limitOf(24)
    const { id } = await person('T7', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    await imported('acme_tk.csv', `Code,Day,Hours\nT7,${day},4\n`)
    await imported('south_tk.csv', `Code,Day,Hours\nT7,${day},4\n`)
    await imported('acme_tk.csv', `Code,Day,Hours\nT7,${day},5\n`)
    expect(await made(id)).toEqual([
      [240, 80_00, 'REJECTED'],
      [240, 80_00, 'AUTO'],
      [300, 100_00, 'AUTO'],
    ])
    expect(await earned(id)).toMatchObject({ earned: 180_00 })
  })

  test('with a rejected line leaves the day that it would correct unchanged', async () => {
    await mapTime()
    await limitOf(24)
    const { id } = await person('T8', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    await imported('acme_tk.csv', `Code,Day,Hours\nT8,${day},4\nT8,${day},3\nT8,${next},2\n`)
    // It is unknown which of 4 and 3 hours 'three' stands for; another day of the same file is corrected.
    const wrong = await imported('acme_tk.csv', `Code,Day,Hours\nT8,${day},5\nT8,${day},three\nT8,${next},1\n`)
    expect(wrong).toMatchObject({ created: 1, changed: 1, rejected: 2 })
    expect(await faults(wrong.id)).toEqual([
      [2, null, 'Another line of this day was not taken, so the day stays as it was.'],
      [3, 'Hours', expect.any(String)],
    ])
    expect(await made(id)).toEqual([
      [240, 80_00, 'AUTO'],
      [180, 60_00, 'AUTO'],
      [120, 40_00, 'REJECTED'],
      [60, 20_00, 'AUTO'],
    ])
    // A line with an unreadable day may concern any day; one that corrects nothing is accepted.
    const last = new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10)
    const unread = await imported('acme_tk.csv', `Code,Day,Hours\nT8,soon,5\nT8,${next},6\nT8,${last},1\n`)
    expect((await faults(unread.id)).map(([line]) => line)).toEqual([2, 3])
    expect(await earned(id)).toMatchObject({ earned: 180_00 })
    // A line that only repeats an earlier one is not ambiguous.
    expect(await imported('acme_tk.csv', `Code,Day,Hours\nT8,${day},7\nT8,${day},7\n`)).toMatchObject({ created: 1, changed: 2 })
    expect(await earned(id)).toMatchObject({ earned: 180_00 })
  })

  test('with no hours for a day withdraws its hours, and adds nothing', async () => {
    await mapTime()
    await limitOf(24)
    const { id } = await person('T10', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    await imported('acme_tk.csv', `Code,Day,Hours\nT10,${day},4\n`)
    expect(await imported('acme_tk.csv', `Code,Day,Hours\nT10,${day},0\n`)).toMatchObject({ created: 0, changed: 1, rejected: 0 })
    expect(await made(id)).toEqual([[240, 80_00, 'REJECTED']])
    expect(await earned(id)).toEqual({ earned: 0, limit: 0 })
  })

  test('calculates earnings from the hours of the file, rounding half a cent up', async () => {
    await mapTime()
    await limitOf(24)
    const { id } = await person('T11', { linked: {}, rate: 2150, balance: { available: 1 } })
    const day = await start(id)
    await imported('acme_tk.csv', `Code,Day,Hours\nT11,${day},7.33\nT11,${day},7:50\nT11,${day},0.01\n`)
    // 7.33 x 21.50 is 157.595; 7 h 50 min are 168.41666; 0.01 x 21.50 is 0.215.
    expect(await made(id)).toEqual([
      [440, 157_60, 'AUTO'],
      [470, 168_42, 'AUTO'],
      [1, 22, 'AUTO'],
    ])
  })

  test('worth over twice its hours, or over 24 hours, waits for a person', async () => {
    await mapTime([...tkColumns, { header: 'Wage', field: 'earned_wage' }, { header: 'Pay', field: 'rate' }])
    await limitOf(24)
    const { id } = await person('T12', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const file = [
      `T12,${day},1,40.00,`,
      `T12,${day},1,40.01,`,
      `T12,${day},,100.00,`,
      `T12,${day},,480.01,`,
      `T12,${day},2,,4000`,
    ]
    await imported('acme_tk.csv', `Code,Day,Hours,Wage,Pay\n${file.join('\n')}\n`)
    expect(await made(id)).toEqual([
      [60, 40_00, 'AUTO'],
      [60, 40_01, 'PENDING'],
      [300, 100_00, 'AUTO'],
      [1440, 480_01, 'PENDING'],
      [120, 8_000_00, 'PENDING'],
    ])
    expect(await earned(id)).toMatchObject({ earned: 140_00 })
  })

  test('[MAP-017] counts the configured pay codes, and withdraws hours that now have another code', async () => {
    await mapTime([...tkColumns, { header: 'Pay', field: 'pay_code' }])
    await limitOf(24)
    const { id } = await person('T18', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    await sql`update configurations set pay_codes = '{Reg,OT}' where organization_id = ${organizationId}`.execute(server.db)
    const first = await imported('acme_tk.csv', `Code,Day,Hours,Pay\nT18,${day},4,REG\nT18,${day},9,PTO\nT18,${day},1,\n`)
    expect(first).toMatchObject({ created: 2, accepted: 3, rejected: 0 })
    expect(await earned(id)).toEqual({ earned: 100_00, limit: 50_00 })
    expect(await imported('acme_tk.csv', `Code,Day,Hours,Pay\nT18,${day},4,PTO\n`)).toMatchObject({ created: 0, changed: 2 })
    expect(await earned(id)).toEqual({ earned: 0, limit: 0 })
  })

  test('that names one person in two ways counts a repeated line once', async () => {
    await mapTime([...tkColumns, { header: 'TK', field: 'external_tk_id' }])
    await limitOf(24)
    const { id } = await person('T13', { linked: {}, rate: 2000, tkId: 'TK-13', balance: { available: 1 } })
    const day = await start(id)
    const done = await imported('acme_tk.csv', `Code,Day,Hours,TK\nT13,${day},4,\n,${day},4,TK-13\n,${day},3,TK-13\n`)
    expect(await faults(done.id)).toEqual([[3, null, 'It repeats line 2.']])
    expect((await made(id)).map(([minutes]) => minutes)).toEqual([240, 180])
  })

  test('that corrects an entry is in its history, and an entry names its file', async () => {
    await mapTime()
    await limitOf(8)
    const { id } = await person('T14', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const first = await imported('acme_tk.csv', `Code,Day,Hours\nT14,${day},10\n`)
    await decide(id, 600, { status: 'APPROVED' })
    const second = await imported('acme_tk.csv', `Code,Day,Hours\nT14,${day},6\n`)
    const reader = await personWith(server, [6, 8], 'Tess Time')
    const { time_entries } = await good('GET', `/timekeeping?employee-id=${id}&sort=id&sort-order=asc`, undefined, reader)
    expect(time_entries).toMatchObject([
      { minutes: 600, status: 'REJECTED', import_id: first.id },
      { minutes: 360, status: 'AUTO', import_id: second.id },
    ])
    const { events } = await good('GET', `/timekeeping/${time_entries[0].id}/history`, undefined, reader)
    expect(events.map(({ status, text }: { status: string; text: string | null }) => [status, text])).toEqual([
      ['Corrected by file', `Import ${second.id}`],
      ['Approved', null],
    ])
    expect(events[0].changes).toEqual([{ field: 'status', before: 'APPROVED', after: 'REJECTED' }])
  })

  test('and a decision about one of its entries wait for each other, and neither is aborted', async () => {
    await mapTime()
    await limitOf(8)
    const { id } = await person('T15', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    await imported('acme_tk.csv', `Code,Day,Hours\nT15,${day},10\n`)
    const approver = await personWith(server, [6, 8, 10, 15], 'Tia Approver')
    const [entry] = (await good('GET', `/timekeeping?employee-id=${id}`, undefined, approver)).time_entries
    const { status, body } = await upload('acme_tk.csv', `Code,Day,Hours\nT15,${day},6\n`)
    expect(status).toBe(201)
    // Both wait for the employee, who is locked by somebody else: neither holds a lock yet that the other one needs.
    const both = await server.db.transaction().execute(async (tx) => {
      await sql`select from employees where id = ${id} for update`.execute(tx)
      const decided = send('PATCH', `/timekeeping/${entry.id}`, { status: 'APPROVED', version: entry.version }, approver)
      await expect.poll(() => waitingForLocks(server)).toBe(1)
      const { rows } = await sql`select from time_entries where id = ${entry.id} for update nowait`.execute(tx)
      expect(rows).toHaveLength(1)
      const applied = importFiles(server.services, () => false)
      await expect.poll(() => waitingForLocks(server)).toBe(2)
      return [decided, applied] as const
    })
    expect((await both[0]).status).toBe(200)
    await both[1]
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({ status: 'SUCCESS' })
    expect((await made(id)).map(([minutes, , state]) => [minutes, state])).toEqual([
      [600, 'REJECTED'],
      [360, 'AUTO'],
    ])
    expect(await earned(id)).toMatchObject({ earned: 120_00 })
  })

  test('with a day whose period is closed by the clock while it waits adds nothing', async () => {
    await mapTime()
    await limitOf(8)
    const { id } = await person('T16', { linked: {}, rate: 2000, balance: { available: 1 } })
    const day = await start(id)
    const { body } = await upload('acme_tk.csv', `Code,Day,Hours\nT16,${day},6\n`)
    const applied = await server.db.transaction().execute(async (tx) => {
      await sql`select from employees where id = ${id} for update`.execute(tx)
      const waits = importFiles(server.services, () => false)
      await expect.poll(() => waitingForLocks(server)).toBe(1)
      await sql`update work_period_balances set is_open = false where employee_id = ${id}`.execute(tx)
      return [waits]
    })
    await Promise.all(applied)
    expect(await faults(body.id)).toEqual([[2, null, 'The work period of this day is over.']])
    expect(await made(id)).toEqual([])
  })

  test('with the first entries of a month locks nobody while it is applied', async () => {
    await mapTime()
    await limitOf(8)
    const { id } = await person('T17', { linked: {}, rate: 2000, balance: { available: 1 } })
    await start(id)
    const { rows } = await sql<{ day: string }>`select (business_date() - interval '12 months')::date as day`.execute(server.db)
    const old = rows[0]?.day as string
    const parts = async () =>
      (await sql`select from pg_class where relname like 'time_entries_20%' and relkind = 'r'`.execute(server.db)).rows
    const before = (await parts()).length
    const { body } = await upload('acme_tk.csv', `Code,Day,Hours\nT17,${old},6\n`)
    const applied = await server.db.transaction().execute(async (tx) => {
      await sql`select from employees where id = ${id} for update`.execute(tx)
      const waits = importFiles(server.services, () => false)
      // The lock for creating the partition is released at once: other people can be changed in the meantime.
      await expect.poll(() => blockedBy(server, tx)).toBe(1)
      const { rows: held } = await sql`select from pg_locks l join pg_class c on c.oid = l.relation
        where c.relname = 'employees' and l.mode = 'ShareRowExclusiveLock'`.execute(tx)
      expect(held).toEqual([])
      return [waits]
    })
    await Promise.all(applied)
    expect(await good('GET', `/imports/${body.id}`)).toMatchObject({ status: 'SUCCESS', created: 1 })
    expect((await parts()).length).toBeGreaterThan(before)
  })

  test('rejects a day that is closed, in the future, or of somebody without a rate', async () => {
    await mapTime()
    const { id } = await person('T3', { rate: null, payType: null, linked: {} })
    await person('T4', { linked: {}, rate: 2000 })
    const done = await imported('acme_tk.csv', 'Code,Day,Hours\nT3,2026-01-02,8\nT4,2099-01-01,8\nT4,2020-01-01,8\n')
    expect((await faults(done.id)).map(([, , message]) => message)).toEqual([
      'What was earned is not known: neither the line nor the employee has a rate.',
      'The work date is in the future, or more than 13 months ago.',
      'The work date is in the future, or more than 13 months ago.',
    ])
    expect(await entries(id)).toEqual([])
  })
})

test('an account manager sees imports of their employers only, and uploading needs the right', async () => {
  await mapEmployees()
  const done = await imported('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nL1,Ann Lee,Active,much,\n')
  const manager = { groups: [], permissions: [2, 3, 4, 8, 1020], kind: 'ACCOUNT_MANAGER' as const }
  const of = async (id: number) => ({
    headers: await signInAs(server, await createPerson(server.db, { ...manager, grants: [{ employerId: id }] })),
  })
  const [mine, other] = [await of(employerId), await of(sister)]
  const ids = async (as: { headers: Record<string, string> }) =>
    (await good('GET', '/imports', undefined, as as never)).imports.map(({ id }: { id: number }) => id)
  expect(await ids(mine)).toEqual([done.id])
  expect(await ids(other)).toEqual([])
  for (const path of ['', '/history', '/rejected-lines', '/rejected-lines/count', '/rejected-lines/file'])
    expect((await send('GET', `/imports/${done.id}${path}`, undefined, other as never)).status).toBe(404)
  expect((await upload('acme_ee.csv', 'x', { employer_id: employerId }, other as never)).status).toBe(404)
  const reader = await personWith(server, [3, 4], 'Ray Reader')
  expect((await upload('acme_ee.csv', 'x', { employer_id: employerId }, reader)).status).toBe(403)
  // Lines contain wages.
  const wageless = await personWith(server, [2, 1020], 'Wes Wageless')
  expect((await send('GET', `/imports/${done.id}`, undefined, wageless)).status).toBe(200)
  expect((await send('GET', `/imports/${done.id}/rejected-lines`, undefined, wageless)).status).toBe(403)
  expect((await send('GET', `/imports/${done.id}/rejected-lines/file`, undefined, wageless)).status).toBe(403)
})

test('in a file with lines of a sister company a grant of one employer shows only its own', async () => {
  await mapEmployees([...eeColumns, { header: 'Company', field: 'employer_code' }])
  const done = await imported(
    'acme_ee.csv',
    'Code,Name,Status,Rate,Hired,Company\nX1,Ann Lee,Active,much,,HA-1\nX2,Zoe Secret,Active,77.70,,HA-9\nX3,Max Hidden,Active,much,,HA-9\nX2,Zoe Secret,Active,77.70,,HA-9\n',
  )
  expect(done).toMatchObject({ accepted: 0, rejected: 4 })
  const manager = { groups: [], permissions: [2, 3, 4, 8, 1020], kind: 'ACCOUNT_MANAGER' as const }
  const rejectedLinesFor = async (grant: { employerId: number } | { organizationId: number }) => {
    const headers = await signInAs(server, await createPerson(server.db, { ...manager, grants: [grant] }))
    const of = (path: string) => good('GET', `/imports/${done.id}/rejected-lines${path}`, undefined, { headers } as never)
    const file = await fetch(`${server.origin}/api/imports/${done.id}/rejected-lines/file`, { headers })
    return { lines: (await of('')).rejected_lines, found: (await of('/count?q=secret')).count, file: await file.text() }
  }
  const one = await rejectedLinesFor({ employerId })
  expect(one.lines.map(({ line, message }: { line: number; message: string }) => [line, message])).toEqual([
    [2, '“much” is no amount, such as 1,234.50.'],
    ...[3, 4, 5].map((line) => [line, 'The line is about another employer.']),
  ])
  expect(JSON.stringify(one)).not.toMatch(/Zoe|Secret|Max|Hidden|77\.70|HA-9/)
  expect(JSON.stringify(one.lines[0])).toContain('Ann Lee')
  expect([one.file.includes('Ann Lee'), one.found]).toEqual([true, 0])
  const all = await rejectedLinesFor({ organizationId })
  expect(JSON.stringify(all.lines)).toMatch(/Zoe Secret.*77\.70/)
  expect([all.file.includes('Zoe Secret'), all.found]).toEqual([true, 2])
  expect(all.lines[1].message).toBe('No employer of the organization has the code HA-9.')
})

test('the worker imports files oldest first, and the lines of a file are deleted after 90 days', async () => {
  await mapEmployees()
  const first = (await upload('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nM1,Ann Lee,Active,18,\n')).body
  const second = (await upload('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nM1,Ann Lee,Active,much,\nM1,Ann Lee,Active,20,\n'))
    .body
  const stop = startWorker(server.services)
  await expect.poll(async () => (await good('GET', `/imports/${second.id}`)).status).toBe('SUCCESS')
  await stop()
  expect((await good('GET', `/imports/${first.id}`)).status).toBe('SUCCESS')
  expect((await employees())[0]?.rate_amount).toBe(2000)
  const storedCounts = async () =>
    (
      await sql<{
        parts: number
        faults: number
      }>`select (select count(*)::int from import_parts where import_id = ${second.id}) as parts,
      (select count(*)::int from import_faults where import_id = ${second.id}) as faults`.execute(server.db)
    ).rows[0]
  expect(await storedCounts()).toEqual({ parts: 1, faults: 1 })
  await sql`update imports set finished_at = now() - interval '91 days' where id = ${second.id}`.execute(server.db)
  await forgetOld(server.db, new Date())
  expect(await storedCounts()).toEqual({ parts: 0, faults: 0 })
})

test('an import with a lost connection leaves nothing, and is imported once when restarted', async () => {
  await mapEmployees()
  const lines = Array.from({ length: 300 }, (_, at) => `N${at},Ann Lee,Active,18,`).join('\n')
  const { id } = (await upload('acme_ee.csv', `Code,Name,Status,Rate,Hired\n${lines}\n`)).body
  const count = async () =>
    (
      await sql<{
        people: number
        events: number
      }>`select (select count(*)::int from employees where employer_id = ${employerId}) as people,
        (select count(*)::int from audit_events where text = ${`Import ${id}`}) as events`.execute(server.db)
    ).rows[0]
  // The statement to interrupt has to last until the connection is cut.
  await sql`create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(60); return null; end'`.execute(
    server.owner,
  )
  await sql`create trigger linger after insert on employees for each statement execute function linger()`.execute(server.owner)
  const importing = importFiles(server.services, () => false).then(
    () => 'done',
    () => 'cut off',
  )
  const cut = async () =>
    (
      await sql<{ cut: number }>`select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep' and query like '%insert into employees as e%'`.execute(
        server.db,
      )
    ).rows[0]?.cut
  await expect.poll(cut, { interval: 10 }).toBe(1)
  expect(await importing).toBe('cut off')
  await sql`drop trigger linger on employees`.execute(server.owner)
  expect(await count()).toEqual({ people: 0, events: 0 })
  expect(await good('GET', `/imports/${id}`)).toMatchObject({ status: 'PENDING', created: 0 })
  await importFiles(server.services, () => false)
  expect(await good('GET', `/imports/${id}`)).toMatchObject({ status: 'SUCCESS', created: 300, rejected: 0 })
  expect(await count()).toEqual({ people: 300, events: 300 })
})

test('an employee paused during an import is paused afterwards, and the file waits for nobody', async () => {
  await mapEmployees()
  const { id } = await person('P1', { linked: {} })
  const { body } = await upload('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nP1,Mia Torres,Active,25,\n')
  await server.db.transaction().execute(async (tx) => {
    await sql`update employees set status = 'PAUSED', status_before_pause = 'ACTIVE', paused_at = now(), paused_by_name = 'Ada',
      pause_reason = 'Because', version = version + 1 where id = ${id}`.execute(tx)
    void importFiles(server.services, () => false)
    await expect.poll(() => waitingForLocks(server)).toBe(1)
  })
  await importFiles(server.services, () => false)
  await expect.poll(async () => (await good('GET', `/imports/${body.id}`)).status).toBe('SUCCESS')
  const { rows } = await sql`select status, rate_amount, version from employees where id = ${id}`.execute(server.db)
  expect(rows).toEqual([{ status: 'PAUSED', rate_amount: 2500, version: 3 }])
})

describe('queueing and cancelling', () => {
  const lines = (count: number, from = 0) =>
    `Code,Name,Status,Rate,Hired\n${Array.from({ length: count }, (_, at) => `N${from + at},Ann Lee,Active,18,\n`).join('')}`
  const at = async (id: number) => {
    const { status, phase } = await good('GET', `/imports/${id}`)
    return [status, phase]
  }
  const large = (id: number) => sql`update imports set size = ${largeFrom} where id = ${id}`.execute(server.db)
  const lingering = async (seconds: number) => {
    await sql
      .raw(`create or replace function linger() returns trigger language plpgsql as
      'begin perform pg_sleep(${seconds}); return null; end'`)
      .execute(server.owner)
    await sql`create trigger linger after insert on employees for each statement execute function linger()`.execute(server.owner)
  }
  const free = () => sql`drop trigger if exists linger on employees`.execute(server.owner)
  afterEach(free)

  test('a large file delays no small one of others; those of its organization come after it', async () => {
    await mapEmployees()
    const first = (await upload('acme_ee.csv', lines(3))).body.id
    await large(first)
    const second = (await upload('acme_ee.csv', lines(4))).body.id
    const other = await createCompany(server.db, 'Heron Lane', 1)
    await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
      values (${other.organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
    const [theirs] = other.employerIds as [number]
    await mapEmployees(eeColumns, theirs)
    const third = (await upload('acme_ee.csv', lines(2, 100), { employer_id: theirs })).body.id
    expect([await at(first), await at(second), await at(third)]).toEqual(Array(3).fill(['PENDING', 'WAITING']))
    await importFiles(server.services, () => false, 'small')
    expect([await at(first), await at(second), await at(third)]).toEqual([
      ['PENDING', 'WAITING'],
      ['PENDING', 'WAITING'],
      ['SUCCESS', null],
    ])
    await importFiles(server.services, () => false, 'large')
    expect([await at(first), await at(second)]).toEqual([
      ['SUCCESS', null],
      ['PENDING', 'WAITING'],
    ])
    await importFiles(server.services, () => false, 'small')
    expect(await at(second)).toEqual(['SUCCESS', null])
    expect(await employees()).toHaveLength(4)
  })

  test('of several organizations none is imported twice before each was once', async () => {
    await mapEmployees()
    const many = []
    for (const count of [1, 2, 3]) many.push((await upload('acme_ee.csv', lines(count))).body.id)
    const other = await createCompany(server.db, 'Fair Turn', 1)
    await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
      values (${other.organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
    const [theirs] = other.employerIds as [number]
    await mapEmployees(eeColumns, theirs)
    const last = (await upload('acme_ee.csv', lines(1, 50), { employer_id: theirs })).body.id
    await importFiles(server.services, () => false)
    const { rows } = await sql<{
      id: number
    }>`select id from imports where id in (${sql.join([...many, last])}) order by finished_at`.execute(server.db)
    expect(rows.map(({ id }) => id)).toEqual([many[0], last, many[1], many[2]])
  })

  test.each(['small', 'large'] as const)('a running %s import that is rejected ends, and leaves nothing', async (lane) => {
    await mapEmployees()
    const { id, version } = (await upload('acme_ee.csv', lines(5))).body
    if (lane === 'large') await large(id)
    // Longer than the test may take.
    await lingering(600)
    const importing = importFiles(server.services, () => false, lane)
    await expect.poll(() => at(id)).toEqual(['PENDING', 'APPLYING'])
    expect((await good('GET', `/imports/${id}`)).lines).toBe(5)
    const rejected = await good('POST', `/imports/${id}/reject`, { version })
    expect(rejected).toMatchObject({ status: 'REJECTED', phase: null })
    await importing
    expect(await employees()).toEqual([])
    expect(await good('GET', `/imports/${id}`)).toMatchObject({ status: 'REJECTED', message: null, created: 0 })
    await free()
    // The same file may come again, and the next file is imported.
    expect(await imported('acme_ee.csv', lines(5))).toMatchObject({ status: 'SUCCESS', created: 5 })
  })

  test('a file that waits long for locked people does not delay others, and is imported later', async () => {
    await mapEmployees()
    const { id } = await person('H2', { linked: {} })
    const held = (await upload('acme_ee.csv', 'Code,Name,Status,Rate,Hired\nH2,Mia Torres,Active,27,\n')).body.id
    const other = await createCompany(server.db, 'Heron Cove', 1)
    await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
      values (${other.organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
    const [theirs] = other.employerIds as [number]
    await mapEmployees(eeColumns, theirs)
    const free = (await upload('acme_ee.csv', lines(2, 200), { employer_id: theirs })).body.id
    const importing = await server.db.transaction().execute(async (tx) => {
      await sql`select 1 from employees where id = ${id} for update`.execute(tx)
      const going = importFiles(server.services, () => false)
      // Longer than any lock timeout.
      await expect.poll(() => at(free)).toEqual(['SUCCESS', null])
      expect((await at(held))[0]).toBe('PENDING')
      const { rows } = await sql<{ tries: number }>`select tries from imports where id = ${held}`.execute(server.db)
      return { going, tries: rows[0]?.tries }
    })
    await importing.going
    expect(await at(held)).toEqual(['SUCCESS', null])
    // It also does not count as a crash, however often it was started.
    expect(importing.tries).toBeLessThanOrEqual(1)
  })

  test('a call blocked by a lock reports a concurrent change, not an outage', async () => {
    const { id } = await person('H1', { linked: {} })
    const other = await personWith(server, [2, 9, 1011], 'Pia Pauses')
    const answer = await server.db.transaction().execute(async (tx) => {
      await sql`select 1 from employees where id = ${id} for update`.execute(tx)
      return send('PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'x', version: 1 }, other)
    })
    expect([answer.status, answer.body.detail]).toEqual([
      503,
      'This is being changed right now, by somebody else or by a file that is imported. Nothing was done. Try again in a moment.',
    ])
  })

  test('with very many lines without an identifier, the first are stored and all are counted', async () => {
    await mapTime()
    const count = maxStoredFaults + 5
    const done = await imported(
      'acme_tk.csv',
      `Code,Day,Hours\n${Array.from({ length: count }, (_, n) => `X${n},2026-01-02,8\n`).join('')}`,
    )
    expect(done).toMatchObject({ status: 'FAIL', lines: count, accepted: 0, rejected: count, created: 0 })
    expect(await good('GET', `/imports/${done.id}/rejected-lines/count`)).toMatchObject({ count: maxStoredFaults })
  })
})
