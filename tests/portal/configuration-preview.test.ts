import { describe, expect, test } from 'vitest'
import { configurationPreview, savedConfiguration } from '#entities/pages/configuration-form.ts'
import { configurationLike } from '#tests/support/examples.ts'

const now = configurationLike({
  withdraw_limit_type: 'PERCENTAGE',
  withdraw_limit_amount: 40_00,
  single_withdraw_amount_max: 100_00,
  withdraw_amount_max: 300_00,
  transaction_fee: 299,
})
const example = { employee_id: 1, name: 'Ana Ruiz', earned_amount: 500_00, taken_amount: 0, pending_amount: 0 }
const shown = (typed: object) => configurationPreview({ ...savedConfiguration(now), ...typed }, { now, example })
const cells = (typed: object) => shown(typed).rows.map((row) => row.cells.join(' | '))

describe('the preview of terms for an employee', () => {
  test('is beside the current terms', () => {
    expect(shown({}).head).toEqual(['Of the open period', 'Now', 'After saving'])
    expect(cells({ transaction_fee: 399 })).toEqual([
      'Limit | $200.00 | $200.00',
      'One advance, at most | $100.00 | $100.00',
      'Fee for it | $2.99 | $3.99',
    ])
  })

  test.each([
    ['above the maximum', 25_00],
    ['no amount', Number.NaN],
  ])('has no figure for an invalid value: %s', (_, transaction_fee) => {
    const { notes } = shown({ transaction_fee })
    expect(cells({ transaction_fee }).at(-1)).toBe('Fee for it | $2.99 | —')
    expect(notes.at(-1)).toBe('There is no figure for a value that has to be corrected first.')
  })

  test('also omits figures derived from such a value', () => {
    expect(cells({ withdraw_limit_percentage: 60_00 })).toEqual([
      'Limit | $200.00 | —',
      'One advance, at most | $100.00 | —',
      'Fee for it | $2.99 | $2.99',
    ])
    expect(shown({ single_withdraw_amount_max: -1 }).notes[0]).toMatch(/can withdraw up to \$100\.00/)
  })

  test('warns of a maximum per transaction above that of the period, also without an example', () => {
    const typed = { single_withdraw_amount_max: 400_00 }
    const warning = 'Maximum per transaction ($400.00) is above maximum per pay period ($300.00), which limits both.'
    expect(shown(typed).notes[0]).toBe(warning)
    expect(configurationPreview({ ...savedConfiguration(now), ...typed }, { now, example: null }).notes[0]).toBe(warning)
    expect(shown({ single_withdraw_amount_max: 300_00 }).notes.join()).not.toContain('above')
  })
})
