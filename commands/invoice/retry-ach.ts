import { retryAch } from '#contract/invoice-changes.ts'
import { addBusinessDays } from '#domain/calendar.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.retry-ach',
  title: 'Retry ACH debit',
  aliases: ['debit again', 'present again'],
  icon: 'refresh',
  on: invoice,
  does: retryAch,
  start: (one) => (one ? { debit_date: addBusinessDays(one.as_of, 1) } : {}),
  warning: (one) => (one.ach?.return_code ? `The last debit came back with ${one.ach.return_code}.` : null),
  preview: (one) => previewOf(one, { status: 'SCHEDULED' }),
  amount: (one) => one.outstanding_amount,
  done: (one, { debit_date }) => `${one.number} is debited again on ${debit_date}`,
  failed: (one) => `Something went wrong with the debit of ${one.number}`,
})
