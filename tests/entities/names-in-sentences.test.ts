import type { Command } from '#kernel/command.ts'
import { describe, expect, test } from 'vitest'
import { isolated, undirected, withArticle } from '#domain/text.ts'
import addRepayment from '#commands/invoice/add-repayment.ts'
import pause from '#commands/employee/pause.ts'
import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { repayment } from '#entities/repayment.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { writeOff } from '#entities/write-off.ts'

/** The positions of the letters of a text, with the depth of direction isolates of each: 0 is the sentence itself. */
function depths(text: string): [letter: string, depth: number][] {
  let depth = 0
  return [...text].map((letter) => {
    if ('\u2066\u2067\u2068\u202a\u202b\u202d\u202e'.includes(letter)) depth += 1
    if ('\u2069\u202c'.includes(letter)) depth -= 1
    return [letter, depth]
  })
}

const hostile = [
  '\u202egro.live',
  'live\u2069\u202eevil',
  '\u2067a',
  'a\u202c\u202c\u202e',
  'שלום',
  'محمد 12',
  '\u200fx',
  'ﬁ\u061c1',
]

describe('a name in a sentence', () => {
  test.each(hostile)('cannot change the direction of the text around it: %j', (name) => {
    const sentence = depths(`Paused ${isolated(name)} for $40.00`)
    for (const at of [0, 5, sentence.length - 1, sentence.length - 10]) expect(sentence[at]?.[1]).toBe(0)
    expect(sentence.every(([, depth]) => depth === 0 || depth === 1)).toBe(true)
  })

  test('is unchanged where it has the direction of the sentence', () => {
    for (const name of ['Mia Torres', 'Ørsted & Løwe', 'Συστήματα', '株式会社', '👩\u200d⚕️', ''])
      expect(isolated(name)).toBe(name)
  })

  test('has no direction marks in exports', () => {
    for (const name of hostile) expect(undirected(name)).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
    expect(undirected('שלום')).toBe('שלום')
  })
})

test('the titles of every noun and the messages of finished commands isolate names', () => {
  const name = '\u202eevil\u2069'
  const company = { id: 1, name, code: 'H-1', status: 'ACTIVE' }
  const one = {
    id: 1,
    first_name: name,
    last_name: 'Torres',
    name,
    internal_name: name,
    organization_name: name,
    debtor_name: name,
    employee_name: name,
    work_date: '2026-11-04',
    external_code: 'H-1',
    source_code: 'S',
    number: 'INV-1',
    invoice_number: 'INV-1',
    reference_id: 'REP-1',
    company_code: 'C',
    brand: 'DAYLINE',
    reason: 'OTHER',
    employer: company,
    organization: company,
  } as never
  const said = [employee, employer, organization, repayment, writeOff, invoice, deduction, timeEntry].flatMap((noun) => [
    noun.title(one),
    String(noun.subtitle?.(one) ?? ''),
  ])
  for (const { done } of [pause, addRepayment] as Command[]) said.push(done?.message(one, { amount: 1 }) ?? '')
  for (const text of said) {
    expect([text, depths(text).at(-1)?.[1] ?? 0]).toEqual([text, 0])
    expect(text).not.toMatch(/[\u202a-\u202e]/)
  }
  expect(said.filter((text) => text.includes('evil')).length).toBeGreaterThan(8)
})

test('the day in a title has the same format as everywhere', () => {
  expect(timeEntry.title({ employee_name: 'Mia Torres', work_date: '2026-11-04' } as never)).toBe('Mia Torres, 4 Nov 2026')
})

test('nouns have the article of their pronunciation', () => {
  expect(['employee', 'user', 'SFTP user', 'invoice', 'admin', 'repayment', 'unmatched bank result'].map(withArticle)).toEqual([
    ...['an employee', 'a user', 'an SFTP user', 'an invoice', 'an admin', 'a repayment', 'an unmatched bank result'],
  ])
})
