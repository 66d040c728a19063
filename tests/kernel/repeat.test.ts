import { describe, expect, test } from 'vitest'
import adjustBalance from '#commands/employee/adjust-balance.ts'
import changePay from '#commands/employee/change-pay.ts'
import pause from '#commands/employee/pause.ts'
import addRepayment from '#commands/invoice/add-repayment.ts'
import editInvoice from '#commands/invoice/edit.ts'
import createOrganization from '#commands/organization/create.ts'
import editOrganization from '#commands/organization/edit.ts'
import setKey from '#commands/organization/set-encryption-key.ts'
import changeEmail from '#commands/user/change-email.ts'
import { permissionIds } from '#domain/permissions.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { repeatedValues, whyNotRepeated } from '#kernel/repeat.ts'
import { employeeLike, invoiceLike } from '#tests/support/examples.ts'

const context: CommandContext = {
  signedIn: true,
  held: new Set(permissionIds),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
}
const mia = employeeLike(1, 'Mia', 'Torres', { pay_frequency: 'WEEKLY', next_pay_date: '2026-12-04' })
const paul = employeeLike(2, 'Paul', 'Adeyemi', { pay_frequency: 'MONTHLY', next_pay_date: '2026-12-31' })

const repeated = (command: unknown, params: Record<string, unknown>, before?: unknown, next?: unknown) =>
  repeatedValues([command].flat()[0] as Command, { params, before }, context, next)

describe('repeating fills in', () => {
  test('the reason and the details that a person typed', () => {
    expect(repeated(pause, { reason: 'fraud', details: 'called twice' }, mia, paul)).toEqual({
      reason: 'fraud',
      details: 'called twice',
    })
  })

  test('a decision that differs from the value of the record, and none that was left as it was', () => {
    const params = { pay_frequency: 'BIWEEKLY', next_pay_date: '2026-12-04' }
    expect(repeated(changePay, params, mia, paul)).toEqual({ pay_frequency: 'BIWEEKLY' })
  })

  test('a due date that a person moved, for the next invoice', () => {
    const params = { due_date: '2026-12-20', reason: 'agreed by phone' }
    expect(repeated(editInvoice, params, invoiceLike(), invoiceLike({ id: 2, due_date: '2026-11-30' }))).toEqual(params)
  })
})

describe('repeating leaves out', () => {
  test('amounts, and keeps the reason beside one', () => {
    expect(repeated(adjustBalance, { earned_amount: 120_00, reason: 'late hours' }, mia, paul)).toEqual({ reason: 'late hours' })
  })

  test('the amount, the lines and the bank text of a repayment', () => {
    const params = {
      amount: 250_00,
      repayment_date: '2026-11-18',
      descriptor: 'HARBOR FOODS INV-40001',
      allocations: [{ invoice_id: 1, amount: 250_00 }],
      notes: 'check by mail',
    }
    expect(repeated(addRepayment, params, invoiceLike(), invoiceLike({ id: 2 }))).toEqual({
      repayment_date: '2026-11-18',
      notes: 'check by mail',
    })
  })

  test('names, e-mails and keys of another record', () => {
    const names = { name: 'Laurel', lookup_name: 'laurel', source_code: 'L1', notes: 'pilot' }
    expect(repeated(createOrganization, names)).toEqual({})
    expect(repeated(editOrganization, { name: 'Laurel', notes: 'pilot' }, { notes: 'old' }, { notes: 'mine' })).toEqual({})
    expect(repeated(changeEmail, { email: 'mia@example.com' })).toEqual({})
    expect(repeated(setKey, { encryption_key: '-----BEGIN PGP PUBLIC KEY BLOCK-----' })).toEqual({})
  })
})

test('a change made on a page of its own is not repeated', () => {
  expect(whyNotRepeated(undefined, { title: 'Configure employer' })).toBe(
    'Configure employer has a page of its own: it is not repeated.',
  )
  expect(whyNotRepeated(pause as unknown as Command, { title: 'Pause employee' })).toBeNull()
})
