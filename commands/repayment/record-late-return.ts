import type { z } from 'zod'
import { recordLateReturn, type Repayment } from '#contract/repayments.ts'
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

const form = recordLateReturn.body.omit({ version: true, expected: true, late: true })

export default defineCommand<Repayment, typeof recordLateReturn, z.infer<typeof form>, Returned>({
  id: 'repayment.record-late-return',
  title: 'Record late return',
  aliases: ['override return window'],
  icon: 'undo',
  on: repayment,
  suggestedFilter: { origin: 'ACH_ENTRY' },
  does: recordLateReturn,
  bulk: false,
  facts: { read: readReturned, expects: (_, facts) => versionsOfReturned(facts) },
  form: { schema: form, start: (one) => (one ? { amount: one.amount - one.returned_amount } : {}), messages: validateReturned },
  preview: {
    rows: previewReturn,
    lines: linesOfReturn,
    warning: () => 'This return is after its window. Its invoices owe the money again, and it cannot be taken back.',
  },
  done: (one, { amount }, after) => returnRecorded('late return', one, amount, after),
})
