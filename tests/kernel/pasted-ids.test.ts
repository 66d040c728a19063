import { expect, test } from 'vitest'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { timeEntry } from '#entities/time-entry.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { readPasted } from '#kernel/pasted-ids.ts'

const pasted = (text: string, entity: AnyEntity = employee) => {
  const { ids, left } = readPasted(text, entity)
  return { ids: [...ids.keys()], left: left.map(({ line, text, reason }) => `${line} ${text}: ${reason}`) }
}

test('[EMP-001] one per line, with blanks, any line ending, and the quotes of a spreadsheet', () => {
  const ids = ['104233', '104234', '104235', '104236']
  for (const text of [
    '104233\n104234\n104235\n104236',
    '\n104233\r\n\r\n104234\r\n104235\r\n104236\r\n\r\n',
    '104233\r104234\r  104235 \r104236',
    '\ufeff104233\n\u00a0104234\n\'104235\n"104236"',
    '104233\t104234\t104235\t104236',
    '104233, 104234,104235;104236,',
    '104233\t104234\n104235\t104236',
  ])
    expect(pasted(text)).toEqual({ ids, left: [] })
})

test('[EMP-001] lines without a row are reported with a reason: headings, words and duplicates', () => {
  expect(pasted('Employee ID\n104233\n\nMia Torres\n104234\n104233\n0104235\n104236.0')).toEqual({
    ids: ['104233', '104234'],
    left: [
      '1 Employee ID: Heading.',
      '4 Mia Torres: This is not an id.',
      '6 104233: Already in line 2.',
      '7 0104235: This is not an id.',
      '8 104236.0: This is not an id.',
    ],
  })
  expect(pasted(`${'x'.repeat(5_000)}`).left[0]).toHaveLength('1 : This is not an id.'.length + 61)
  expect(pasted(' \n\t\n')).toEqual({ ids: [], left: [] })
})

test('[EMP-001] of several columns one has the ids: the one with that heading, or with most ids', () => {
  const ids = ['104233', '104234']
  const table = 'Employer ID\tEmployee ID\tName\n100107\t104233\tMia\n100107\t104234\tBen'
  expect(pasted(table)).toEqual({ ids, left: ['1 Employer ID Employee ID Name: Heading.'] })
  expect(pasted(table.replaceAll('\t', ','))).toMatchObject({ ids })
  expect(pasted('Name\tPaid\tID\nMia\t120\t104233\nBen\t80\t104234')).toMatchObject({ ids })
  expect(pasted('Mia Torres\t104233\nBen Ortiz\t104234\nTotal\t')).toEqual({ ids, left: ['3 Total: No id in this line.'] })
  expect(pasted('"Torres, Mia",104233\n"Ortiz, ""Ben""",104234')).toEqual({ ids, left: [] })
})

test('no id is dropped unsaid: in one line with a mistake, or in a column without a heading', () => {
  expect(pasted('104233, 104234, banana')).toEqual({ ids: ['104233', '104234'], left: ['1 banana: This is not an id.'] })
  expect(pasted('104233, 104234\n104235, banana\n104236, 80')).toEqual({
    ids: ['104233', '104235', '104236'],
    left: ['1 104234: Not in the column with the most ids.'],
  })
})

test('a number with thousands separators is never read as two ids', () => {
  expect(pasted('104,233\n"104,234"\n104235')).toEqual({
    ids: ['104235'],
    left: ['1 104,233: This is not an id. Write it without commas.', '2 104,234: This is not an id. Write it without commas.'],
  })
})

test('[INV-016] every noun parses its own ids: with or without a prefix', () => {
  expect(pasted('Invoice\nINV-40001\n40002\ninv-40003\nREP-7', invoice)).toEqual({
    ids: ['40001', '40002', '40003'],
    left: ['1 Invoice: Heading.', '5 REP-7: This is not an id.'],
  })
  expect(pasted('TIME-12\n13', timeEntry).ids).toEqual(['12', '13'])
})

test('a paste of very many lines is parsed, too', () => {
  const text = Array.from({ length: 50_000 }, (_, at) => `${100_001 + at}`).join('\n')
  expect(readPasted(text, employee).ids.size).toBe(50_000)
})
