import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asking } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { configureOrganization, importing } from '#tests/support/imports.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

// Days of timekeeping files whose lines cannot all be right: nothing of such a day is earned.

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [2, 3, 4, 8, 1020], 'Ada Admin')
  await setToday(server.db, '2026-11-30')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Days ${++companies}`, 1)
  organizationId = company.organizationId
  ;[employerId] = company.employerIds as [number]
  await configureOrganization(server.db, organizationId)
  for (let at = 1; at <= 5; at += 1)
    await createEmployee(server.db, { employerId, code: `A-${at}`, rate: 2_000, tkId: `TK-${at}` })
})

const { imported, faults: rejected } = importing(
  () => server,
  { send, good },
  () => employerId,
)
const faults = async (id: number) => (await rejected(id)).map(([line, , message]) => [line, message] as const)
const map = (...columns: readonly (readonly [header: string, field: string])[]) =>
  good('POST', '/mappings/timekeepings', {
    employer_id: employerId,
    file_name: 'acme_tk.csv',
    columns: [['Emp ID', 'employee_code'], ['Date', 'work_date'], ...columns].map(([header, field]) => ({ header, field })),
  })
const hours = ['Hours', 'work_hours'] as const
const clocks = [
  ['In', 'clock_in'],
  ['Out', 'clock_out'],
] as const
/** The entries that are not rejected: code, day of November, minutes, status. */
const entries = async () => {
  const { rows } = await sql<{ code: string; day: string; minutes: number; status: string }>`
    select employee_code as code, to_char(work_date, 'DD') as day, minutes, t.status from time_entries t join employees e on e.id = t.employee_id
    where e.employer_id = ${employerId} and t.status <> 'REJECTED' order by code, day, t.id`.execute(server.db)
  return rows.map(({ code, day, minutes, status }) => [code, day, minutes, status])
}
const stays = 'Another line of this day was not taken, so the day stays as it was.'
const below = (text: string) => `“${text}” is below zero. To correct a day, send the day's new total.`
const overlaps = (line: number) => `Its times overlap with those of line ${line}. Keep one of the lines, or correct the times.`

test('hours of tomorrow, or before the hire date, wait for a decision', async () => {
  await map(hours)
  await sql`update employees set hire_date = '2026-11-16' where employer_id = ${employerId} and employee_code in ('A-1', 'A-2')`.execute(
    server.db,
  )
  const days = ['A-1,2026-11-13', 'A-1,2026-11-16', 'A-2,2026-11-30', 'A-2,2026-12-01', 'A-3,2026-11-13']
  await imported('acme_tk.csv', ['Emp ID,Date,Hours', ...days.map((day) => `${day},8`), ''].join('\n'))
  expect(await entries()).toEqual([
    ['A-1', '13', 480, 'PENDING'],
    ['A-1', '16', 480, 'AUTO'],
    ['A-2', '01', 480, 'PENDING'],
    ['A-2', '30', 480, 'AUTO'],
    ['A-3', '13', 480, 'AUTO'],
  ])
})

test('hours of a rate that lost its decimal point wait for a decision', async () => {
  await map(hours, ['Rate', 'rate'])
  await sql`update employees set rate_amount = 295000 where employer_id = ${employerId} and employee_code = 'A-1'`.execute(
    server.db,
  )
  const lines = ['A-1,2026-11-13,8,', 'A-2,2026-11-13,8,29.50', 'A-3,2026-11-13,8,']
  await imported('acme_tk.csv', ['Emp ID,Date,Hours,Rate', ...lines, ''].join('\n'))
  expect(await entries()).toEqual([
    ['A-1', '13', 480, 'PENDING'],
    ['A-2', '13', 480, 'AUTO'],
    ['A-3', '13', 480, 'AUTO'],
  ])
})

describe('a day with a rejected line', () => {
  test('earns nothing, whatever its other lines say; other days and people are taken', async () => {
    await map(hours)
    const done = await imported(
      'acme_tk.csv',
      [
        'Emp ID,Date,Hours',
        'A-1,2026-11-24,8',
        'A-1,2026-11-24,-2',
        'A-1,2026-11-25,7',
        'A-2,2026-11-24,8',
        'A-2,2026-11-24,-8',
        'A-2,2026-11-24,6',
        'A-3,2026-11-24,abc',
        'A-3,2026-11-24,8',
        'A-4,2026-11-24,8',
        '',
      ].join('\n'),
    )
    expect(done).toMatchObject({ status: 'SUCCESS', lines: 9, accepted: 2, rejected: 7, created: 2 })
    expect(await faults(done.id)).toEqual([
      [2, stays],
      [3, below('-2')],
      [5, stays],
      [6, below('-8')],
      [7, stays],
      [8, '“abc” is no number of hours, such as 7.5 or 7:30.'],
      [9, stays],
    ])
    expect(await entries()).toEqual([
      ['A-1', '25', 420, 'AUTO'],
      ['A-4', '24', 480, 'AUTO'],
    ])
  })

  test('keeps its entries, and gets no further ones', async () => {
    await map(hours)
    await imported('acme_tk.csv', 'Emp ID,Date,Hours\nA-1,2026-11-24,8\nA-2,2026-11-24,8\n')
    const done = await imported(
      'acme_tk.csv',
      'Emp ID,Date,Hours\nA-1,2026-11-24,8\nA-1,2026-11-24,3\nA-1,2026-11-24,-2\nA-2,2026-11-24,6\n',
    )
    expect(done).toMatchObject({ status: 'SUCCESS', accepted: 1, rejected: 3, created: 1, changed: 1 })
    expect(await entries()).toEqual([
      ['A-1', '24', 480, 'AUTO'],
      ['A-2', '24', 360, 'AUTO'],
    ])
    // The day's new total corrects it.
    expect(await imported('acme_tk.csv', 'Emp ID,Date,Hours\nA-1,2026-11-24,6\n')).toMatchObject({ created: 1, changed: 1 })
    expect((await entries())[0]).toEqual(['A-1', '24', 360, 'AUTO'])
  })

  test('is also found if its lines name the employee by different identifiers', async () => {
    await map(hours, ['TK', 'external_tk_id'])
    const done = await imported(
      'acme_tk.csv',
      'Emp ID,Date,Hours,TK\nA-1,2026-11-24,8,\n,2026-11-24,-2,TK-1\n,2026-11-24,7,TK-2\n',
    )
    expect(await faults(done.id)).toEqual([
      [2, stays],
      [3, below('-2')],
    ])
    expect(await entries()).toEqual([['A-2', '24', 420, 'AUTO']])
  })

  test('that is all there is fails the file', async () => {
    await map(hours)
    const done = await imported('acme_tk.csv', 'Emp ID,Date,Hours\nA-1,2026-11-24,8\nA-1,2026-11-24,-2\n')
    expect(done).toMatchObject({ status: 'FAIL', accepted: 0, rejected: 2 })
    expect(await entries()).toEqual([])
  })

  test('is not one with a repeated line: of two equal ones without times the first counts', async () => {
    await map(hours)
    const done = await imported('acme_tk.csv', 'Emp ID,Date,Hours\nA-1,2026-11-24,4\nA-1,2026-11-24,4\nA-1,2026-11-24,3\n')
    expect(await faults(done.id)).toEqual([[3, 'It repeats line 2.']])
    expect(await entries()).toEqual([
      ['A-1', '24', 240, 'AUTO'],
      ['A-1', '24', 180, 'AUTO'],
    ])
  })
})

describe('overlapping clock times of one employee', () => {
  test('are never added up: each line names another one, and the day stays as it was', async () => {
    await map(...clocks, ['Pay', 'pay_code'])
    await sql`update configurations set pay_codes = '{REG}' where organization_id = ${organizationId}`.execute(server.db)
    const file = readFileSync(new URL('../support/cases/tk-punches-overlap.csv', import.meta.url))
    const done = await imported('acme_tk.csv', file)
    expect(await faults(done.id)).toEqual([
      [2, overlaps(3)],
      [3, overlaps(2)],
      [6, overlaps(7)],
      [7, overlaps(6)],
      [8, stays],
      // A night that ends in the next day.
      [9, overlaps(10)],
      [10, overlaps(9)],
      [15, 'It repeats line 14.'],
    ])
    // Times that only touch are a split shift, and a break that does not count overlaps with nothing.
    expect(await entries()).toEqual([
      ['A-1', '25', 240, 'AUTO'],
      ['A-1', '25', 240, 'AUTO'],
      ['A-3', '26', 180, 'AUTO'],
      ['A-4', '24', 480, 'AUTO'],
      ['A-4', '25', 480, 'AUTO'],
      ['A-5', '24', 480, 'AUTO'],
    ])
  })

  test('are found within a longer shift, by dates and zones, and under both identifiers', async () => {
    await map(...clocks, ['TK', 'external_tk_id'])
    const done = await imported(
      'acme_tk.csv',
      [
        'Emp ID,Date,In,Out,TK',
        // The third is within the first, and not within the second.
        'A-1,2026-11-24,08:00,20:00,',
        'A-1,2026-11-24,09:00,10:00,',
        ',2026-11-24,19:00,21:00,TK-1',
        // 14:00 in New York is 19:00 in UTC.
        'A-2,2026-11-24,2026-11-24T14:00-05:00,2026-11-24T16:00-05:00,',
        'A-2,2026-11-24,2026-11-24T20:00Z,2026-11-24T22:00Z,',
        'A-3,2026-11-24,2026-11-24T14:00-05:00,2026-11-24T15:00-05:00,',
        'A-3,2026-11-24,2026-11-24T14:00Z,2026-11-24T19:00Z,',
        // Booked on the day on which the night ends.
        'A-4,2026-11-25,2026-11-24 22:00,2026-11-25 06:00,',
        'A-4,2026-11-25,22:00,2026-11-26 06:00,',
        'A-4,2026-11-24,2026-11-24 21:00,2026-11-24 23:00,',
        '',
      ].join('\n'),
    )
    expect(await faults(done.id)).toEqual([
      [2, overlaps(3)],
      [3, overlaps(2)],
      [4, overlaps(2)],
      [5, overlaps(6)],
      [6, overlaps(5)],
      [9, overlaps(11)],
      [10, stays],
      [11, overlaps(9)],
    ])
    expect(await entries()).toEqual([
      ['A-3', '24', 60, 'AUTO'],
      ['A-3', '24', 300, 'AUTO'],
    ])
  })

  test('count although the hours or the wage of the lines are given', async () => {
    await map(hours, ...clocks)
    const done = await imported(
      'acme_tk.csv',
      'Emp ID,Date,Hours,In,Out\nA-1,2026-11-24,7.5,08:00,16:00\nA-1,2026-11-24,0.5,15:30,16:00\nA-2,2026-11-24,7.5,08:00,16:00\n',
    )
    expect(await faults(done.id)).toEqual([
      [2, overlaps(3)],
      [3, overlaps(2)],
    ])
    expect(await entries()).toEqual([['A-2', '24', 450, 'AUTO']])
  })
})
