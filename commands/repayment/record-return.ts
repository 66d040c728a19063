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
  facts: { read: readReturned, expects: (_, facts) => versionsOfReturned(facts) },
  form: { schema: form, start: (one) => (one ? { amount: one.amount - one.returned_amount } : {}), messages: validateReturned },
  preview: {
    rows: previewReturn,
    lines: linesOfReturn,
    warning: () => 'Its invoices owe the money again. A return cannot be taken back.',
  },
  done: (one, { amount }, after) => returnRecorded('return', one, amount, after),
})
