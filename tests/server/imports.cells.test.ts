import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization, importing } from '#tests/support/imports.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
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
  // The files of tests/support/cases are older than this one.
  await sql`update settings set value = (value::int + (date '2026-11-29' - business_date()))::text where name = 'demo-offset-days'`.execute(
    server.owner,
  )
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Cells ${++companies}`, 2)
  ;[employerId, sister] = company.employerIds as [number, number]
  await configureOrganization(server.db, company.organizationId)
})

const fixture = (name: string) => readFileSync(new URL(`../support/cases/${name}`, import.meta.url))
const { imported, faults: rejected } = importing(
  () => server,
  { send, good },
  () => employerId,
)
const faults = async (id: number) => (await rejected(id)).map(([line, , message]) => [line, message] as const)
const person = (code: string, more: Partial<Parameters<typeof createEmployee>[1]> = {}) =>
  createEmployee(server.db, { employerId, code, ...more })
const statuses = async () => {
  const { rows } = await sql<{ code: string; status: string }>`select employee_code as code, status from employees
    where employer_id = ${employerId} order by code`.execute(server.db)
  return Object.fromEntries(rows.map(({ code, status }) => [code, status]))
}
const changedCode = (text: string) =>
  `The cell shows “${text}”: the spreadsheet changed this code. Format the column as text, enter the code again and send the file again.`

describe('codes in an employee file', () => {
  const mapped = (more: readonly object[] = []) =>
    good('POST', '/mappings/employees', {
      employer_id: employerId,
      file_name: 'acme_ee.csv',
      columns: [
        { header: 'Emp ID', field: 'employee_code' },
        { header: 'First', field: 'first_name' },
        { header: 'Last', field: 'last_name' },
        { header: 'Status', field: 'status' },
        ...more,
      ],
    })

  test('[MAP-037] keep the zeros that their cells show', async () => {
    await mapped()
    for (const code of ['00417', '00018']) await person(code)
    expect(await imported('acme_ee.xlsx', fixture('ee-leading-zeros.xlsx'))).toMatchObject({
      status: 'SUCCESS',
      created: 0,
      changed: 2,
      absent: 0,
    })
    expect(await statuses()).toEqual({ '00018': 'ELIGIBLE', '00417': 'ELIGIBLE' })
  })

  test('changed by a spreadsheet reject their lines, and nobody ends until a person decides', async () => {
    await mapped()
    for (const code of ['3-12', '3-13']) await person(code)
    // One of forty is less than a tenth: without a changed code the file would not wait.
    for (let at = 0; at < 38; at += 1) await person(`P${at}`)
    const rest = Array.from({ length: 38 }, (_, at) => `P${at},Mia,Torres,Active\n`).join('')
    const lines = `Emp ID,First,Last,Status\n2026-03-12,Ana,Mora,Active\n3-13,Ben,Ilves,Active\n${rest}`
    const waits = await imported('acme_ee.csv', lines)
    expect(waits).toMatchObject({
      status: 'PAUSED',
      absent: 1,
      message:
        'The file leaves out 1 of 40 employees, who would no longer be eligible. They may be in the rejected lines whose code is missing or was changed by a spreadsheet. Correct these lines, with the column as text, and send the file again.',
    })
    expect(await faults(waits.id)).toEqual([[2, changedCode('2026-03-12')]])
    expect(await statuses()).toMatchObject({ '3-12': 'ELIGIBLE' })
    await good('POST', `/imports/${waits.id}/apply`, { version: waits.version, absent: 1 })
    await importFiles(server.services, () => false)
    expect(await good('GET', `/imports/${waits.id}`)).toMatchObject({ status: 'SUCCESS', ended: 1 })
    expect(await statuses()).toMatchObject({ '3-12': 'INELIGIBLE', '3-13': 'ELIGIBLE' })
  })

  test('in date cells or scientific notation are rejected, those that only look alike accepted', async () => {
    await mapped()
    const dates = await imported('acme_ee.xlsx', fixture('ee-date-as-code.xlsx'))
    expect(dates).toMatchObject({ status: 'SUCCESS', created: 1, rejected: 1 })
    expect(await faults(dates.id)).toEqual([[2, changedCode('2026-03-12')]])
    expect(await statuses()).toEqual({ '3-13': 'ELIGIBLE' })
    await person('219E01')
    const scientific = await imported('acme_ee.csv', fixture('ee-scientific.csv'))
    expect(await faults(scientific.id)).toEqual([
      [2, changedCode('1.23457E+15')],
      [3, changedCode('1.23457E+15')],
    ])
    expect(scientific).toMatchObject({ status: 'PAUSED', absent: 1 })
  })

  test('without their leading zeros create nobody, and the real ones stay', async () => {
    await mapped()
    for (const code of ['0417', 'ab-1', '18']) await person(code)
    await person('0019', { status: 'INELIGIBLE' })
    await person('0020', { status: 'TERMINATED' })
    const done = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status\n417,Ana,Mora,Active\nAB-1,Ben,Ilves,Active\n18,Cy,Ruiz,Active\n018,Di,Kim,Active\n19,Ed,Lind,Active\n20,Flo,Berg,Active\n',
    )
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2, changed: 1, absent: 0, rejected: 3 })
    expect(await faults(done.id)).toEqual([
      [2, 'Nobody is named 417: 0417 is known.'],
      [3, 'Nobody is named AB-1: ab-1 is known.'],
      [6, 'Nobody is named 19: 0019 is known.'],
    ])
    // 18 has a line of its own, so 018 is another person.
    expect(await statuses()).toEqual({
      '0019': 'INELIGIBLE',
      '0020': 'TERMINATED',
      '018': 'ELIGIBLE',
      '0417': 'ELIGIBLE',
      '18': 'ELIGIBLE',
      '20': 'ELIGIBLE',
      'ab-1': 'ELIGIBLE',
    })
  })

  test('cut off at the end of the file may be anybody, so that nobody ends until a person decides', async () => {
    await mapped()
    for (let at = 1; at <= 40; at += 1) await person(`P-${at}`)
    const lines = Array.from({ length: 39 }, (_, at) => `P-${at + 1},Mia,Torres,Active\n`).join('')
    const cut = await imported('acme_ee.csv', `Emp ID,First,Last,Status\n${lines}P-4`)
    expect(cut).toMatchObject({ status: 'PAUSED', absent: 1, rejected: 1 })
    expect(await faults(cut.id)).toEqual([
      [
        41,
        'The file ends within this line, which has fewer cells than all others and no line break: it was cut off. Send it again.',
      ],
    ])
    // Without a line break at its end a file is whole all the same.
    expect(await imported('acme_ee.csv', `Emp ID,First,Last,Status\n${lines}P-40,Mia,Torres,Active`)).toMatchObject({
      status: 'SUCCESS',
      absent: 0,
      rejected: 0,
    })
  })

  test('in two spellings with one name create nobody twice', async () => {
    await mapped()
    for (const code of ['A-1', '0417']) await person(code)
    await sql`update employees set first_name = case employee_code when 'A-1' then 'Ann' else 'Bo' end,
      last_name = case employee_code when 'A-1' then 'Lee' else 'Ray' end where employee_code in ('A-1', '0417')`.execute(
      server.owner,
    )
    const done = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status\nA-1,Ann,Lee,Active\na-1,ann,LEE,Active\n0417,Bo,Ray,Active\n00417,Bo,Ray,Active\n417,Cy,Ruiz,Active\nN-7,Di,Kim,Active\nn-7,Di,Kim,Active\nN-8,Ed,Ross,Active\nn-8,Flo,Berg,Active\n',
    )
    expect(await faults(done.id)).toEqual([
      [3, 'Nobody is named a-1: A-1 is known.'],
      [5, 'Nobody is named 00417: 0417 is known.'],
      [7, 'Line 8 has other values for the same employee. Keep one of the lines.'],
      [8, 'Line 7 has other values for the same employee. Keep one of the lines.'],
    ])
    expect(done).toMatchObject({ status: 'SUCCESS', created: 3, absent: 0, rejected: 4 })
    expect(Object.keys(await statuses()).sort()).toEqual(['0417', '417', 'A-1', 'N-8', 'n-8'])
  })

  test('probably changed or truncated by a program create nobody, but match existing people', async () => {
    await mapped()
    await person('12-Mar')
    await person('NEW')
    const doubtful = [
      'Mar-12',
      '3/12/26',
      '1.23E5',
      '12%',
      '$417.00',
      '01-JAN-26',
      '12. Mrz',
      'None',
      'TBD',
      'na',
      '18.0',
      'А-12',
      'A-Ο5',
    ]
    const kept = ['12-Mar', 'NEW', '3-12', '12-MAR', '219E01', 'May', '31/12', 'A-10.0']
    const done = await imported(
      'acme_ee.csv',
      `Emp ID,First,Last,Status\n${[...doubtful, ...kept].map((code) => `${code},Ana,Mora,Active\n`).join('')}`,
    )
    expect(done).toMatchObject({ status: 'SUCCESS', absent: 0, rejected: doubtful.length })
    expect(Object.keys(await statuses()).sort()).toEqual([...kept].sort())
    expect((await faults(done.id))[0]).toEqual([
      2,
      'The cell shows “Mar-12”, and nobody has this code: most likely it was changed by a spreadsheet or left out. Format the column as text, enter the code and send the file again.',
    ])
  })

  test('over 15 digits are rejected if several all end in zeros', async () => {
    await mapped()
    const file = (...codes: string[]) => `Emp ID,First,Last,Status\n${codes.map((code) => `${code},Ana,Mora,Active\n`).join('')}`
    const rounded = ['1234567890123450', '1234567890123460']
    expect(await imported('acme_ee.csv', file(...rounded, 'A-1'))).toMatchObject({ created: 1, rejected: 2 })
    expect(await imported('acme_ee.csv', file(...rounded, '1234567890123471', 'A-1'))).toMatchObject({ created: 3, rejected: 0 })
  })

  test('match by look: no-break spaces and hyphens, apostrophes, full-width digits create nobody', async () => {
    await mapped()
    for (const code of ['A 3', 'A-4', '00417', '118', 'B-5']) await person(code)
    const done = await imported(
      'acme_ee.csv',
      "Emp ID,First,Last,Status\nA\u00a03,Ana,Mora,Active\nA\u20114\u00a0,Ben,Ilves,Active\n’00417,Cy,Ruiz,Active\n１１８,Di,Kim,Active\n'B-5,Ed,Lind,Active\n",
    )
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 5, created: 0, absent: 0 })
  })

  test('match known ones that differ in blanks, commas or dashes', async () => {
    await mapped()
    for (const code of ['A-3', '1417', '418']) await person(code)
    const done = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status\nA – 3,Ana,Mora,Active\n"1,417",Ben,Ilves,Active\n418.0,Cy,Ruiz,Active\nX-1,Di,Kim,Active\n',
    )
    expect(done).toMatchObject({ status: 'SUCCESS', created: 1, absent: 0 })
    expect((await faults(done.id)).map(([, message]) => message)).toEqual([
      'Nobody is named A – 3: A-3 is known.',
      'Nobody is named 1,417: 1417 is known.',
      'Nobody is named 418.0: 418 is known.',
    ])
  })

  test('[MAP-037] missing from lines may belong to people who seem absent, so the file waits', async () => {
    await mapped()
    for (let at = 0; at < 40; at += 1) await person(`P${at}`)
    const rest = Array.from({ length: 39 }, (_, at) => `P${at},Mia,Torres,Active\n`).join('')
    for (const nothing of ['', 'N/A', 'NULL', '--']) {
      const waits = await imported('acme_ee.csv', `Emp ID,First,Last,Status\n${rest}${nothing},Ana,Mora,Active\n`)
      expect(waits).toMatchObject({ status: 'PAUSED', absent: 1, rejected: 1 })
      expect(await faults(waits.id)).toEqual([[41, 'The employee identifier is missing.']])
    }
    // A total line concerns nobody.
    expect(await imported('acme_ee.csv', `Emp ID,First,Last,Status\n${rest},,,39\n`)).toMatchObject({
      status: 'SUCCESS',
      ended: 1,
    })
  })

  test('a placeholder as e-mail or phone counts as empty with a note, and rejects no line', async () => {
    await mapped([
      { header: 'Mail', field: 'email' },
      { header: 'Phone', field: 'phone' },
    ])
    await person('A-1', { email: 'ana@example.com' })
    const done = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status,Mail,Phone\nA-1,Ana,Mora,Active,N/A,-\nA-2,Ben,-Ilves,Active,none,(212) 555-0111\n',
    )
    expect(done).toMatchObject({
      status: 'SUCCESS',
      accepted: 2,
      rejected: 0,
      created: 1,
      message: '2 lines have a placeholder such as N/A as e-mail or phone, which was taken as empty.',
    })
    const { rows } =
      await sql`select employee_code, last_name, email, phone_number from employees where employer_id = ${employerId}
      order by 1`.execute(server.db)
    expect(rows).toEqual([
      expect.objectContaining({ employee_code: 'A-1', email: 'ana@example.com' }),
      { employee_code: 'A-2', last_name: '-Ilves', email: null, phone_number: '(212) 555-0111' },
    ])
  })
})

describe('hours and times in a timekeeping file', () => {
  const mapped = (...more: readonly object[]) =>
    good('POST', '/mappings/timekeepings', {
      employer_id: employerId,
      file_name: 'acme_tk.csv',
      columns: [{ header: 'Emp ID', field: 'employee_code' }, { header: 'Date', field: 'work_date' }, ...more],
    })
  const clocks = [
    { header: 'In', field: 'clock_in' },
    { header: 'Out', field: 'clock_out' },
  ]
  const hours = { header: 'Hours', field: 'work_hours' }
  const people = async () => {
    for (let at = 1; at <= 5; at += 1) await person(`A-${at}`, { rate: 2_000 })
  }
  const entries = async () => {
    const { rows } = await sql<{
      code: string
      day: string
      minutes: number
    }>`select employee_code as code, work_date as day, minutes
      from time_entries t join employees e on e.id = t.employee_id where e.employer_id = ${employerId} and t.status <> 'REJECTED'
      order by code, day, t.id`.execute(server.db)
    return rows.map(({ code, day, minutes }) => [code, day, minutes])
  }
  const day = '2026-11-27'

  test('[MAP-047] of 24 hours and more lose no day, and withdraw nothing', async () => {
    await people()
    await mapped(hours)
    await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-3,${day},8\n`)
    const done = await imported('acme_tk.xlsx', fixture('tk-hours-above-24.xlsx'))
    expect(await faults(done.id)).toEqual([
      [2, 'A day has at most 24 hours.'],
      [3, 'A day has at most 24 hours.'],
    ])
    const [one, other] = (await entries()).slice(-2)
    expect([one, other]).toEqual([
      ['A-3', day, 24 * 60],
      ['A-4', day, 450],
    ])
  })

  test('in date-and-time cells are exact to the minute, midnight included', async () => {
    await people()
    await mapped(...clocks)
    expect(await imported('acme_tk.xlsx', fixture('tk-clock-datetime.xlsx'))).toMatchObject({ created: 3, rejected: 0 })
    expect(await entries()).toEqual(['A-1', 'A-2', 'A-3'].map((code) => [code, day, 480]))
  })

  test('with dates and zones are the elapsed time, and contradictions are rejected', async () => {
    await people()
    await mapped(...clocks)
    const done = await imported('acme_tk.csv', fixture('tk-clock-dates.csv'))
    expect(await faults(done.id)).toEqual([
      [2, 'From clock in (2026-11-27 08:00) to clock out (2026-11-29 09:00) is 49 h. A day has at most 24 hours.'],
      [3, 'Clock out (2026-11-27 08:00) is before clock in (2026-11-27 16:00).'],
    ])
    expect(await entries()).toEqual([['A-3', day, 480]])
  })

  test('leave a day unchanged if a line with a code changed by a spreadsheet may concern it', async () => {
    await people()
    await mapped(hours)
    await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},4\nA-1,${day},3\nA-2,2026-11-26,8\n`)
    const done = await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},5\n1.23457E+15,${day},3\nA-2,2026-11-26,7\n`)
    expect(await faults(done.id)).toEqual([
      [2, 'Another line of this day was not taken, so the day stays as it was.'],
      [3, changedCode('1.23457E+15')],
    ])
    expect(await entries()).toEqual([
      ['A-1', day, 240],
      ['A-1', day, 180],
      ['A-2', '2026-11-26', 420],
    ])
  })

  test('add nothing to a new day if a line of it was rejected, which might take back the others', async () => {
    await people()
    await mapped(hours)
    const done = await imported(
      'acme_tk.csv',
      `Emp ID,Date,Hours\nA-1,${day},8\nA-1,${day},-2\nA-2,${day},4\nA-2,${day},abc\nA-2,2026-11-26,8\nA-3,${day},8\n`,
    )
    const unclear = 'Another line of this day was not taken, so the day stays as it was.'
    const [, negative, , noNumber] = await faults(done.id)
    expect(await faults(done.id)).toEqual([[2, unclear], negative, [4, unclear], noNumber])
    expect([negative?.[0], noNumber?.[0]]).toEqual([3, 5])
    expect(await entries()).toEqual([
      ['A-2', '2026-11-26', 480],
      ['A-3', day, 480],
    ])
    // Corrected, the day is taken as a whole.
    await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},6\n`)
    expect(await entries()).toContainEqual(['A-1', day, 360])
  })

  test('leave a day unchanged if a line of that day has no code', async () => {
    await people()
    await mapped(hours)
    await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},4\nA-1,${day},3\n`)
    const done = await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},4\n,${day},3\nA-2,${day},8\n`)
    expect(await faults(done.id)).toEqual([[3, 'The employee identifier is missing.']])
    expect(await entries()).toEqual([
      ['A-1', day, 240],
      ['A-1', day, 180],
      ['A-2', day, 480],
    ])
  })

  test('with an unknown code name the similar one of this employer (zeros, case)', async () => {
    await person('0417', { rate: 2_000 })
    await createEmployee(server.db, { employerId: sister, code: '0500' })
    await mapped(hours)
    const done = await imported('acme_tk.csv', `Emp ID,Date,Hours\n417,${day},8\n500,${day},8\n`)
    expect(await faults(done.id)).toEqual([
      [2, 'Nobody is named 417: 0417 is known.'],
      [3, 'Nobody is named 500.'],
    ])
  })
})
