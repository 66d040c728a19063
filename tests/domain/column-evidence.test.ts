import { describe, expect, test } from 'vitest'
import { columnEvidence, columnReadingOf, type ReadAs, readings, readingsOf } from '#domain/column-evidence.ts'
import { understand } from '#domain/mapping-cells.ts'
import type { CellType } from '#domain/mapping-fields.ts'

const decided = (type: CellType, cells: readonly string[], setting: ReadAs | null = null, more = {}) => {
  const evidence = columnEvidence('Col', type, more)
  for (const [at, cell] of cells.entries()) evidence.see(cell, at + 2)
  return evidence.decide(setting)
}

/** The format that a column is read in, or that a person is asked. */
const outcome = (type: CellType, cells: readonly string[], setting: ReadAs | null = null, more = {}) => {
  const { readAs, question } = decided(type, cells, setting, more)
  return question ? 'asks' : readAs
}

describe('a column of dates', () => {
  test.each([
    [['25/04/2024', '03/04/2024'], 'day-first'],
    [['03/04/2024', '04/25/2024'], 'month-first'],
    [['25.04.24'], 'day-first'],
    [['09/11/2026', '12/11/2026'], 'asks'],
    [['11/11/2026', '12/12/2026'], null],
    [['2026-11-09', '20261109', '9 Nov 2026', 'n/a', ''], null],
    [['2026-11-09 08:00', '2026-11-09T08:00:00Z'], null],
    [['25/04/2024', '04/25/2024'], 'asks'],
    // No February has 30 days: the line is wrong, and proves nothing.
    [['30/02/2024', '03/04/2024'], 'asks'],
  ] as const)('%j is %s', (cells, expected) => expect(outcome('date', cells)).toBe(expected))

  test('follows the mapping without proof, and asks on proof of the other format', () => {
    expect(outcome('date', ['03/04/2024'], 'day-first')).toBe('day-first')
    expect(outcome('date', ['25/04/2024'], 'day-first')).toBe('day-first')
    expect(outcome('date', ['25/04/2024'], 'month-first')).toBe('asks')
  })

  test('names both lines of a contradiction', () => {
    expect(decided('date', ['25/04/2024', '03/04/2024', '04/25/2024']).question).toMatch(
      /25\/04\/2024 in line 2 has no month 25, and 04\/25\/2024 in line 4 has no month 25/,
    )
  })
})

describe('a column of amounts', () => {
  test.each([
    [['21,50', '1.021'], 'decimal-comma'],
    [['1.021,50'], 'decimal-comma'],
    [['1,234.50', '1,234'], 'decimal-point'],
    [['21.5', '1.021'], 'decimal-point'],
    [['1.234.567'], 'decimal-comma'],
    [['0.125'], 'decimal-point'],
    [['1,234'], 'asks'],
    [['1.021', '20'], 'asks'],
    [['$1,234', '$20'], 'asks'],
    [['20', '1000'], null],
    [['21,50', '21.50'], 'asks'],
  ] as const)('%j is %s', (cells, expected) => expect(outcome('money', cells)).toBe(expected))

  test('has a decimal point in a workbook, which stores numbers so', () => {
    expect(outcome('money', ['1.021'], null, { workbook: true })).toBe('decimal-point')
    expect(outcome('money', ['1.021', '21,50'], null, { workbook: true })).toBe('asks')
  })

  test('is explained without a digit of an amount', () => {
    for (const cells of [['21,50'], ['1.021'], ['21,50', '21.50']]) {
      const { sentence, question } = decided('money', cells)
      expect(`${sentence} ${question}`.replace(/line \d+/g, '')).not.toMatch(/\d/)
    }
  })
})

test('two-digit dates that may start with the year ask, unless another line or mapping decides', () => {
  expect(outcome('date', ['24-03-04', '25-11-30'])).toBe('asks')
  expect(outcome('date', ['24-03-04', '24-03-99'])).toBe('day-first')
  expect(outcome('date', ['24-03-04'], 'day-first')).toBe('day-first')
  expect(outcome('date', ['24.03.04'])).toBe('day-first')
  expect(decided('date', ['24-03-04']).question).toBe(
    'Col: 24-03-04 in line 2 can be read day first or year first, and no line shows which. If the year is first, reject the file and ask for dates with four digits of the year. Otherwise, how are they read?',
  )
})

describe('a column of dates in a workbook', () => {
  const inWorkbook = (...cells: string[]) => outcome('date', cells, null, { workbook: true })
  test('asks if texts are dates and no date cell has a day above 12: day and month may be swapped', () => {
    expect(inWorkbook('2024-03-04', '25/04/2024')).toBe('asks')
    expect(inWorkbook('2024-03-04', '04/25/2024')).toBe('asks')
    expect(decided('date', ['2024-03-04', '25/04/2024'], 'day-first', { workbook: true }).question).toBe(
      'Col: 25/04/2024 in line 3 has no month 25 and is text, while 2024-03-04 in line 2 is a date of the spreadsheet, which may have exchanged day and month. If so, reject the file and ask for one with the column as text. Otherwise, how are the texts read?',
    )
    expect(inWorkbook('2024-03-04', '2024-03-25', '25/04/2024')).toBe('day-first')
    expect(inWorkbook('2024-03-03', '25/04/2024')).toBe('day-first')
    expect(inWorkbook('2024-03-04', '2024-03-05')).toBeNull()
    expect(outcome('date', ['2024-03-04', '25/04/2024'])).toBe('day-first')
  })
})

describe('a column of hours', () => {
  test.each([
    [['0.3125', '0.3333', '0.25'], 'asks'],
    [['0,3125'], 'asks'],
    [['0.5'], 'asks'],
    [['0.5', '7.5'], 'hours'],
    [['0.5', '7,5'], 'hours'],
    [['7:30', '0:20'], null],
    [['0', '1', ''], null],
  ] as const)('%j is %s', (cells, expected) => expect(outcome('hours', cells)).toBe(expected))

  test('asks if some cells are hours and others can only be fractions of a day', () => {
    expect(outcome('hours', ['0.3125', '0.354166667', '8'])).toBe('asks')
    expect(outcome('hours', ['7.5', '8', '0.3125'])).toBe('asks')
    // A third of an hour is 20 minutes, and a third of a day 8 hours.
    expect(outcome('hours', ['0.333333333', '7.5'])).toBe('hours')
    expect(outcome('hours', ['0.25', '7.5', '8.125'])).toBe('hours')
    expect(decided('hours', ['8', '0.3125']).question).toBe(
      'Col: 8 in line 2 is more than a day, but 0.3125 in line 3 looks like a share of a day: 7 h 30, or 0 h 19 if it is hours. Which is right? Lines that do not fit the reading you choose are rejected.',
    )
    // For single cells the mapping decides.
    expect(outcome('hours', ['7.5', '8', '0.125'], 'hours')).toBe('hours')
    expect(outcome('hours', ['0.3125', '0.354166667', '0.291666667', '8'], 'hours')).toBe('asks')
  })

  test('is hours by the mapping, unless all cells are fine fractions of a day', () => {
    expect(outcome('hours', ['0.5', '0.75'], 'hours')).toBe('hours')
    expect(outcome('hours', ['0.3125', '0.3333', '0.25'], 'hours')).toBe('asks')
    expect(outcome('hours', ['0.3125', '0.3333', '0.25'], 'days')).toBe('days')
    expect(outcome('hours', ['0.3125', '7.5'], 'days')).toBe('asks')
  })
})

test('the answer of a person wins over the mapping and the proof of lines', () => {
  const evidence = columnEvidence('Col', 'date')
  evidence.see('25/04/2024', 2)
  expect(evidence.decide('day-first', 'month-first')).toMatchObject({ readAs: 'month-first', question: null })
})

test('only dates, times, amounts and hours have a choice of formats', () => {
  const all: CellType[] = ['text', 'name', 'e-mail', 'phone', 'date', 'time', 'hours', 'money']
  expect(all.filter((type) => readingsOf(type).length > 0)).toEqual(['date', 'time', 'hours', 'money'])
  expect(new Set(all.flatMap(readingsOf))).toEqual(new Set(readings))
})

/** Seeded random numbers from 0 up to 1. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('for any content of a column', () => {
  const pad = (number: number) => String(number).padStart(2, '0')

  test('dates of one format are read as written, or a person is asked', () => {
    const next = random(20_261_129)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    for (let round = 0; round < 500; round += 1) {
      const [sign, order, isShort, isPadded] = [
        pick(['/', '-', '.']),
        pick(['day-first', 'month-first'] as const),
        next() < 0.3,
        next() < 0.5,
      ]
      const days = Array.from(
        { length: 1 + Math.floor(next() * 8) },
        () => new Date(Date.UTC(2000 + Math.floor(next() * 40), Math.floor(next() * 12), 1 + Math.floor(next() * 28))),
      )
      const number = (value: number) => (isPadded ? pad(value) : String(value))
      const cells = days.map((day) => {
        const [month, date, year] = [number(day.getUTCMonth() + 1), number(day.getUTCDate()), day.getUTCFullYear()]
        return [...(order === 'day-first' ? [date, month] : [month, date]), isShort ? pad(year % 100) : year].join(sign)
      })
      const { readAs, question } = decided('date', cells)
      if (question) continue
      const read = cells.map((cell) => understand('date', cell, { reading: columnReadingOf(readAs) }))
      expect(read, cells.join(' ')).toEqual(days.map((day) => ({ value: day.toISOString().slice(0, 10) })))
    }
  })

  test('amounts of one notation are read as written, or a person is asked', () => {
    const next = random(7)
    for (let round = 0; round < 500; round += 1) {
      const mark = next() < 0.5 ? ',' : '.'
      const grouped = next() < 0.5
      const cents = Array.from({ length: 1 + Math.floor(next() * 6) }, () => Math.floor(next() ** 3 * 10_000_000))
      const cells = cents.map((amount) => {
        const whole = String(Math.floor(amount / 100))
        const shown = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, mark === ',' ? '.' : ',') : whole
        return amount % 100 === 0 && next() < 0.5 ? shown : `${shown}${mark}${pad(amount % 100)}`
      })
      const { readAs, question } = decided('money', cells)
      if (question) continue
      const read = cells.map((cell) => understand('money', cell, { reading: columnReadingOf(readAs) }))
      expect(read, cells.join(' ')).toEqual(cents.map((value) => ({ value })))
    }
  })
})
