import { readFileSync } from 'node:fs'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asking } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization, importing } from '#tests/support/imports.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { withSheets, workbookParts } from '#tests/support/workbook.ts'

// Files as customers' systems write them, each with what a payroll clerk expects of it.

let server: TestServer
let admin: SignedIn
let employerId: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [2, 3, 4, 8, 1020], 'Ada Admin')
  // Hours may be 13 months old, and the files are of 2026.
  await setToday(server.db, '2026-11-30')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Cases ${++companies}`, 1)
  ;[employerId] = company.employerIds as [number]
  await configureOrganization(server.db, company.organizationId)
})

const caseFile = (name: string): Buffer => readFileSync(new URL(`../support/cases/${name}`, import.meta.url))

const names = [
  { header: 'Emp ID', field: 'employee_code' },
  { header: 'First', field: 'first_name' },
  { header: 'Last', field: 'last_name' },
  { header: 'Status', field: 'status' },
]
const hired = { header: 'Hired', field: 'hire_date' }
const rate = { header: 'Rate', field: 'rate' }
const hours = [
  { header: 'Emp ID', field: 'employee_code' },
  { header: 'Date', field: 'work_date' },
  { header: 'Hours', field: 'work_hours' },
]

const mapEmployees = (columns: unknown = names, more: object = {}) =>
  good('POST', '/mappings/employees', { employer_id: employerId, file_name: 'acme_ee.csv', columns, ...more })
const mapTime = (columns: unknown = hours) =>
  good('POST', '/mappings/timekeepings', { employer_id: employerId, file_name: 'acme_tk.csv', columns })

const { imported, finished, faults } = importing(
  () => server,
  { send, good },
  () => employerId,
)
async function answered(one: { id: number; version: number; questions: { id: string }[] }, answer: string) {
  await good('POST', `/imports/${one.id}/answer`, { version: one.version, question: one.questions[0]?.id, answer })
  return finished(one.id)
}
const people = async () =>
  (
    await sql<{ code: string; name: string; status: string; hired: string | null; rate: number | null }>`
      select employee_code as code, first_name || ' ' || last_name as name, status, hire_date::text as hired, rate_amount as rate
      from employees where employer_id = ${employerId} order by employee_code`.execute(server.db)
  ).rows
const codes = async () => (await people()).map(({ code }) => code)
const person = (code: string, more: object = {}) => createEmployee(server.db, { employerId, code, linked: {}, ...more })
/** Somebody with hourly pay, and the first day of the open work period. */
async function worker(code: string) {
  const { id } = await person(code, { rate: 2000, balance: { available: 1 } })
  const { rows } = await sql<{ day: string }>`update work_period_balances set earned_amount = 0, limit_amount = 0
    where employee_id = ${id} returning work_period_start as day`.execute(server.db)
  return { id, day: rows[0]?.day as string }
}
const entries = async () =>
  (
    await sql<{ day: string; minutes: number }>`select work_date as day, minutes from time_entries t
      join employees e on e.id = t.employee_id where e.employer_id = ${employerId} order by e.employee_code, 1`.execute(server.db)
  ).rows

describe('a column proves its own format', () => {
  test('all dates are read day first if one line has no such month', async () => {
    const mapping = await mapEmployees([...names, hired])
    const done = await imported('acme_ee.csv', caseFile('ee-day-first.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 5, rejected: 0, created: 5 })
    expect(done.read_as.notes).toEqual(['Hired: read day first, since 25/04/2024 in line 4 has no month 25.'])
    expect((await people()).map(({ hired: day }) => day)).toEqual([
      '2024-04-03',
      '2024-04-11',
      '2024-04-25',
      '2024-04-30',
      '2024-05-07',
    ])
    // The proven format is stored, so that a file that proves nothing is read the same way without a question.
    expect((await good('GET', `/mappings/${mapping.id}`)).columns[4]).toMatchObject({ header: 'Hired', read_as: 'day-first' })
    const next = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status,Hired\n' +
        ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map((code) => `${code},Ana,Mora,Active,05/06/2024\n`).join(''),
    )
    expect(next).toMatchObject({ status: 'SUCCESS', read_as: { notes: ['Hired: read day first, as the mapping says.'] } })
    expect(new Set((await people()).map(({ hired: day }) => day))).toEqual(new Set(['2024-06-05']))
  })

  test('a file with ambiguous dates waits, is read by the answer, and the answer is stored', async () => {
    const mapping = await mapEmployees([...names, hired])
    const file = 'Emp ID,First,Last,Status,Hired\nA-1,Ana,Mora,Active,03/04/2024\nA-2,Ben,Ilves,Active,11/11/2024\n'
    const waits = await imported('acme_ee.csv', file)
    expect(waits).toMatchObject({
      status: 'PAUSED',
      message: 'Hired: 03/04/2024 in line 2 can be read month first or day first, and no line shows which. Which is right?',
      questions: [
        {
          choices: [
            { value: 'month-first', label: 'Month first' },
            { value: 'day-first', label: 'Day first' },
          ],
        },
      ],
    })
    expect(await people()).toEqual([])
    const ask = (body: object) => send('POST', `/imports/${waits.id}/answer`, { version: waits.version, ...body })
    expect(await ask({ question: waits.questions[0].id, answer: 'maybe' })).toMatchObject({ status: 422 })
    expect(await ask({ question: 'another', answer: 'day-first' })).toMatchObject({ status: 422 })
    expect((await send('POST', `/imports/${waits.id}/apply`, { version: waits.version, absent: 0 })).body.detail).toBe(
      'Answer the question about the file first.',
    )
    const done = await answered(waits, 'day-first')
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2, questions: [], decided_by: 'Ada Admin' })
    expect((await people()).map(({ hired: day }) => day)).toEqual(['2024-04-03', '2024-11-11'])
    expect((await good('GET', `/mappings/${mapping.id}`)).columns[4].read_as).toBe('day-first')
    const again = await send('POST', `/imports/${waits.id}/answer`, { version: done.version, question: 'x', answer: 'day-first' })
    expect(again.body.detail).toBe('The file has no open question.')
    // The history of the employer has the change of its mapping, and by whom.
    const { rows } = await sql<{ actor_name: string; text: string }>`select actor_name, text from audit_events
      where entity = 'employer' and entity_id = ${String(employerId)} and intent = 'import.apply-file'`.execute(server.db)
    expect(rows).toEqual([{ actor_name: 'Ada Admin', text: `Import ${waits.id}` }])
  })

  test('dates with day equal to month, the year first or a month name raise no question', async () => {
    await mapEmployees([...names, hired])
    const dates = ['11/11/2024', '2024-03-04', '3 Apr 2024', '']
    const file = `Emp ID,First,Last,Status,Hired\n${dates.map((day, at) => `A-${at},Ana,Mora,Active,${day}\n`).join('')}`
    expect(await imported('acme_ee.csv', file)).toMatchObject({ status: 'SUCCESS', created: 4, read_as: { notes: [] } })
  })

  test('a file that proves both formats, or not that of the mapping, waits with the lines named', async () => {
    await mapEmployees([...names, { ...hired, read_as: 'month-first' }])
    const file = (second: string) =>
      `Emp ID,First,Last,Status,Hired\nA-1,Ana,Mora,Active,25/04/2024\nA-2,Ben,Ilves,Active,${second}\n`
    expect(await imported('acme_ee.csv', file('03/04/2024'))).toMatchObject({
      status: 'PAUSED',
      message: 'Hired: the mapping reads it month first, but 25/04/2024 in line 2 has no month 25. Which is right?',
    })
    const mixed = await imported('acme_ee.csv', file('04/26/2024'))
    expect(mixed).toMatchObject({
      status: 'PAUSED',
      message:
        'Hired: 25/04/2024 in line 2 has no month 25, and 04/26/2024 in line 3 has no month 26. Lines that do not fit the reading you choose are rejected.',
    })
    const done = await answered(mixed, 'month-first')
    expect(done).toMatchObject({ status: 'SUCCESS', created: 1, rejected: 1 })
    expect(await codes()).toEqual(['A-2'])
  })

  test('hours are assigned to the days of the month that the column proves', async () => {
    await mapTime()
    const { day } = await worker('A-1')
    const done = await imported('acme_tk.csv', caseFile('tk-day-first.csv'))
    expect(done.read_as.notes).toContain('Date: read day first, since 13/11/2026 in line 6 has no month 13.')
    const dayFirst = day.split('-').reverse().join('/')
    const file = `Emp ID,Date,Hours\nA-1,${dayFirst},8\nA-9,31/01/2024,8\n`
    expect(await imported('acme_tk.csv', file)).toMatchObject({ status: 'SUCCESS', created: 1, rejected: 1 })
    expect((await entries()).filter((one) => one.day === day)).toEqual([{ day, minutes: 480 }])
  })

  test('amounts follow the decimal comma that other lines of the column prove', async () => {
    await mapEmployees([...names, rate])
    const done = await imported('acme_ee.csv', caseFile('ee-decimal-comma.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', created: 3, rejected: 0 })
    // The sentence has no amounts, since not everybody who sees imports may see wages.
    expect(done.read_as.notes).toEqual(['Rate: read with a decimal comma, since ##,## in line 2 has a decimal comma.'])
    expect((await people()).map((one) => one.rate)).toEqual([2150, 102_150, 102_100])
    // Stored in the mapping, it also applies to a file that proves nothing.
    const next = 'Emp ID;First;Last;Status;Rate\nA-1;Ana;Mora;Active;1.022\nA-2;Ben;Ilves;Active;\nA-3;Cy;Ruiz;Active;\n'
    expect(await imported('acme_ee.csv', next)).toMatchObject({ status: 'SUCCESS', changed: 1 })
    expect((await people()).map((one) => one.rate)).toEqual([102_200, 102_150, 102_100])
  })

  test('an amount that may be a thousand or a fraction waits if no other line decides', async () => {
    await mapEmployees([...names, rate])
    const waits = await imported(
      'acme_ee.csv',
      'Emp ID;First;Last;Status;Rate\nA-1;Ana;Mora;Active;1.021\nA-2;Ben;Ilves;Active;20\n',
    )
    expect(waits).toMatchObject({
      status: 'PAUSED',
      questions: [{ choices: [{ value: 'decimal-point' }, { value: 'decimal-comma' }] }],
    })
    expect(waits.message).not.toMatch(/1.021/)
    await answered(waits, 'decimal-comma')
    expect((await people()).map((one) => one.rate)).toEqual([102_100, 2_000])
  })

  test('hours that look like fractions of a day wait, and are read so if a person confirms', async () => {
    await mapTime()
    const { day } = await worker('A-1')
    await worker('A-2')
    expect(await imported('acme_tk.csv', caseFile('tk-day-shares.csv'))).toMatchObject({
      status: 'PAUSED',
      message: 'Hours: these look like shares of a day (0.3125 in line 2 is 7 h 30). Are they shares of a day, or hours?',
    })
    const waits = await imported('acme_tk.csv', `Emp ID,Date,Hours\nA-1,${day},0.3125\nA-2,${day},0.3333\n`)
    expect(waits.status).toBe('PAUSED')
    expect(await entries()).toEqual([])
    const done = await answered(waits, 'days')
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2 })
    expect(done.read_as.notes).toContain('Hours: read as shares of a day, as a person decided for this file.')
    expect(await entries()).toEqual([
      { day, minutes: 450 },
      { day, minutes: 480 },
    ])
  })
})

describe('lines that are not people', () => {
  test('a repeated header is skipped, totals and footers are rejected, and create nobody', async () => {
    await mapEmployees()
    const done = await imported('acme_ee.csv', caseFile('ee-lines-that-are-no-people.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', lines: 4, accepted: 2, rejected: 2, created: 2, unknown: 0 })
    expect(done.read_as.notes).toContain('One line repeats the headers and was passed over.')
    expect(await codes()).toEqual(['A-1', 'A-2'])
    expect(await faults(done.id)).toEqual([
      [5, null, '“Total” begins a total or the end of the report, and names nobody.'],
      [6, null, '“End of report” begins a total or the end of the report, and names nobody.'],
    ])
  })

  test('a total proves nothing about the hours above it', async () => {
    await mapTime()
    await person('A-1')
    const file = 'Emp ID,Date,Hours\nA-1,2026-11-23,0.3125\nA-1,2026-11-24,0.3333\nGrand Total:,2026-11-24,1.6\n'
    expect(await imported('acme_tk.csv', file)).toMatchObject({ status: 'PAUSED' })
  })

  test('a quote closed some lines below rejects its record, and nobody in it counts as missing', async () => {
    await mapEmployees()
    for (const code of ['A-1', 'A-2', 'A-3', 'A-4']) await person(code)
    const done = await imported('acme_ee.csv', caseFile('ee-quote-closed-below.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 2, rejected: 1, absent: 0, ended: 0 })
    expect(await faults(done.id)).toEqual([
      [
        3,
        'First',
        'A quote is opened in line 3 and closed in line 4. Close it in its own line, and write the cell without a line break.',
      ],
    ])
    expect(new Set((await people()).map(({ status }) => status))).toEqual(new Set(['ACTIVE']))
    // The same in a column that the mapping ignores, where it swallows a whole line.
    const notes =
      'Emp ID,First,Last,Status,Notes\nA-1,Ana,Mora,Active,"late\nA-2,Ben,Ilves,Active,x"\nA-3,Cy,Ruiz,Active,"two\nlines"\nA-4,Di,Kim,Active,\n'
    expect(await imported('acme_ee.csv', notes)).toMatchObject({ accepted: 2, rejected: 1, absent: 0, ended: 0 })
  })

  test('headers without lines below them are refused, and nobody is ended', async () => {
    await mapEmployees()
    await person('A-1')
    const done = await imported('acme_ee.csv', 'Emp ID,First,Last,Status\n\n\n')
    expect(done).toMatchObject({ status: 'FAIL', message: 'Line 1: There are headers and no lines below them.' })
    expect((await people())[0]?.status).toBe('ACTIVE')
  })
})

describe('sheet, header line and encoding', () => {
  test('the first visible sheet is read, and a hidden one is named', async () => {
    await mapEmployees([...names, hired, rate])
    const done = await imported('acme_ee.xlsx', caseFile('ee-hidden-first-sheet.xlsx'))
    expect(done).toMatchObject({ status: 'SUCCESS', created: 3, read_as: { sheet: 'Staff', encoding: null } })
    expect(done.read_as.notes).toContain('The sheet “Old” is hidden and was not read.')
    expect(await codes()).toEqual(['A-1', 'A-2', 'A-3'])
  })

  test('headers below titles raise a question, are found by the answer, and stored', async () => {
    const mapping = await mapEmployees()
    const waits = await imported('acme_ee.csv', caseFile('ee-title-lines.csv'))
    expect(waits).toMatchObject({
      status: 'PAUSED',
      message: 'Line 1 holds “Acme Foods East”. The headers are in line 3.',
      questions: [{ choices: [{ value: '3', label: 'The headers are in line 3' }] }],
    })
    expect(await answered(waits, '3')).toMatchObject({ status: 'SUCCESS', created: 2, read_as: { header_line: 3 } })
    expect(await codes()).toEqual(['A-1', 'A-2'])
    expect((await good('GET', `/mappings/${mapping.id}`)).header_line).toBe(3)
    const other = caseFile('ee-title-lines.csv').toString().replace('27 Nov', '28 Nov')
    expect(await imported('acme_ee.csv', other)).toMatchObject({ status: 'SUCCESS', accepted: 2 })
  })

  test('without the headers the file fails, and the message has the content of line 1', async () => {
    await mapEmployees()
    expect(await imported('acme_ee.csv', 'Acme Foods East,,\nA-1,Ana,Mora\n')).toMatchObject({
      status: 'FAIL',
      message: 'Line 1, Emp ID: The file has no such column. Line 1 holds “Acme Foods East”.',
    })
  })

  test('a first line sep=; sets the separator and is skipped', async () => {
    await mapEmployees()
    const done = await imported('acme_ee.csv', caseFile('ee-sep-line.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2, read_as: { header_line: 1 } })
    expect(done.read_as.notes).toEqual(['The first line, “sep=”, names the separator and was passed over.'])
  })

  test('a workbook with two sheets of people waits until a person chooses one', async () => {
    await mapEmployees()
    const cells = (code: string) =>
      [names.map(({ header }) => header), [code, 'Ana', 'Mora', 'Active']].map(
        (row, at) => `<row r="${at + 1}">${row.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
      )
    const october = [names.map(({ header }) => header), ['A-9', 'Old', 'One', 'Active']]
    const file = zipSync(withSheets(workbookParts(october), cells('A-1').join('')))
    const waits = await imported('acme_ee.xlsx', Buffer.from(file))
    expect(waits).toMatchObject({
      status: 'PAUSED',
      message: 'The sheets “Sheet1” and “More 0” have the headers of the mapping. Which one should be read?',
    })
    expect(await answered(waits, 'More 0')).toMatchObject({ status: 'SUCCESS', created: 1, read_as: { sheet: 'More 0' } })
    expect(await codes()).toEqual(['A-1'])
  })

  test('Windows-1252 is detected and named', async () => {
    await mapEmployees()
    const done = await imported('acme_ee.csv', caseFile('ee-windows-1252.csv'))
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2, read_as: { encoding: 'Windows-1252' } })
    expect((await people()).map(({ name }) => name)).toEqual(['José Nuñez', 'Zoë Müller – Kern'])
  })

  test.each([
    ['mend', ['José Nuñez', 'Zoë Müller'], 'Garbled texts were mended, as a person decided.'],
    ['keep', ['JosÃ© NuÃ±ez', 'ZoÃ« MÃ¼ller'], null],
  ])('garbled names wait with the repaired text as a choice: %s', async (answer, expected, note) => {
    await mapEmployees()
    const waits = await imported('acme_ee.csv', caseFile('ee-double-encoded.csv'))
    expect(waits).toMatchObject({
      status: 'PAUSED',
      message: 'Names look garbled: “Ã©” in line 2 is most likely “é”.',
      questions: [{ choices: [{ value: 'mend' }, { value: 'keep' }] }],
    })
    expect(await people()).toEqual([])
    const done = await answered(waits, answer)
    expect(done).toMatchObject({ status: 'SUCCESS', created: 2 })
    expect(done.read_as.notes).toEqual(note === null ? [] : [note])
    expect((await people()).map(({ name }) => name)).toEqual(expected)
  })

  test('names in another encoding wait, and the whole file is read in the chosen one', async () => {
    await mapEmployees()
    const mac = Buffer.from('Emp ID,First,Last,Status\nA-1,Jos\x8e,Mu\x96oz,Active\nA-2,Mar\x92a,Garc\x92a,Active\n', 'latin1')
    const waits = await imported('acme_ee.csv', mac)
    expect(waits).toMatchObject({
      status: 'PAUSED',
      message:
        'Names look garbled: “JosŽ” in line 2 was read as Windows-1252, and the file most likely has another encoding. If no reading is right, reject the file and ask for “CSV UTF-8”.',
      questions: [
        {
          choices: [
            { value: 'macintosh', label: 'Read the file as Mac Roman: “JosŽ” is “José”' },
            { value: 'keep', label: 'Read them as they stand' },
          ],
        },
      ],
    })
    expect(await people()).toEqual([])
    expect(await answered(waits, 'macintosh')).toMatchObject({ status: 'SUCCESS', read_as: { encoding: 'Mac Roman' } })
    expect((await people()).map(({ name }) => name)).toEqual(['José Muñoz', 'María García'])
  })

  test('a garbled í with an invisible second character makes the file wait; so do HTML entities', async () => {
    await mapEmployees()
    for (const [name, mended] of [
      ['GarcÃ\u00ada', 'García'],
      ['O&#39;Brien', "O'Brien"],
    ] as const) {
      const waits = await imported('acme_ee.csv', `Emp ID,First,Last,Status\nA-1,Ana,${name},Active\n`)
      expect(waits.status).toBe('PAUSED')
      expect(await answered(waits, 'mend')).toMatchObject({ status: 'SUCCESS', accepted: 1 })
      expect((await people()).map((one) => one.name)).toEqual([`Ana ${mended}`])
    }
  })

  test('a name with a lost letter or a placeholder rejects its line', async () => {
    await mapEmployees()
    const done = await imported(
      'acme_ee.csv',
      'Emp ID,First,Last,Status\nA-1,Ana,Mu?oz,Active\nA-2,N/A,Mora,Active\nA-3,Bo,Li,Active\n',
    )
    expect(done).toMatchObject({ accepted: 1, rejected: 2 })
    expect(await faults(done.id)).toEqual([
      [2, 'Last', '“Mu?oz” has a question mark where a letter was lost. Save the file as “CSV UTF-8”.'],
      [3, 'First', '“N/A” is no name.'],
    ])
  })

  test('a file with two questions waits until both are answered', async () => {
    await mapEmployees([...names, hired])
    const waits = await imported('acme_ee.csv', 'Emp ID,First,Last,Status,Hired\nA-1,JosÃ©,Mora,Active,03/04/2024\n')
    expect(waits.questions).toHaveLength(2)
    const one = await answered(waits, 'month-first')
    expect(one).toMatchObject({ status: 'PAUSED', questions: [{ id: 'names' }] })
    expect(await answered(one, 'mend')).toMatchObject({ status: 'SUCCESS', created: 1 })
    expect(await people()).toMatchObject([{ name: 'José Mora', hired: '2024-03-04' }])
  })
})
