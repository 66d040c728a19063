import { recordReturn } from '#contract/repayments.ts'
import { formatCents } from '#domain/money.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'repayment.record-return',
  title: 'Record return',
  aliases: ['chargeback', 'bounced', 'R01', 'ach return'],
  icon: 'undo',
  on: repayment,
  does: recordReturn,
  bulk: false,
  start: (one) => (one ? { amount: one.amount - one.returned_amount } : {}),
  preview: (one, { amount }) =>
    amount === undefined
      ? []
      : [
          {
            of: one.reference_id,
            what: 'returned',
            before: formatCents(one.returned_amount),
            after: formatCents(one.returned_amount + amount),
          },
        ],
  warning: () => 'Its invoices owe the money again. A return cannot be taken back.',
  done: (one, { amount }) => `Recorded a return of ${formatCents(amount)} of ${one.reference_id}`,
  failed: (one) => `Something went wrong recording the return of ${one.reference_id}`,
})
