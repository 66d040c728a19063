import type { z } from 'zod'
import { recordReturn, type Repayment } from '#contract/repayments.ts'
import { repayment } from '#entities/repayment.ts'
import {
  validateReturned,
  linesOfReturn,
  previewReturn,
  readReturned,
  type Returned,
  returnRecorded,
  versionsOfReturned,
} from '#entities/forms/return-preview.ts'
import { defineCommand } from '#kernel/command.ts'

const form = recordReturn.body.omit({ version: true, expected: true })

export default defineCommand<Repayment, typeof recordReturn, z.infer<typeof form>, Returned>({
  id: 'repayment.record-return',
  title: 'Record return',
  aliases: ['return', 'return repayment', 'chargeback', 'bounced', 'R01', 'nsf', 'ach return', 'ach returns', 'return code'],
  icon: 'undo',
  on: repayment,
  suggestedFilter: { origin: 'ACH_ENTRY' },
  does: recordReturn,
  bulk: false,
  form,
  start: (one) => (one ? { amount: one.amount - one.returned_amount } : {}),
  facts: readReturned,
  expects: (_, facts) => versionsOfReturned(facts),
  lines: linesOfReturn,
  validate: validateReturned,
  preview: previewReturn,
  warning: () => 'Its invoices owe the money again. A return cannot be taken back.',
  done: (one, { amount }, after) => returnRecorded('return', one, amount, after),
  failed: (one) => `Something went wrong recording the return of ${one.reference_id}`,
})
