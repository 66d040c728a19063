import type { z } from 'zod'
import { retryAch } from '#contract/invoice-changes.ts'
import type { Invoice } from '#contract/invoices.ts'
import { validateDebitDate, validateRetry, openAmountOf } from '#domain/ach.ts'
import { codeLabel } from '#domain/ach-codes.ts'
import { addBusinessDays } from '#domain/calendar.ts'
import { dayOf, dayText } from '#domain/day-text.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

const form = retryAch.body.omit({ version: true })

export default defineCommand<Invoice, typeof retryAch, z.infer<typeof form>>({
  id: 'invoice.retry-ach',
  title: 'Retry ACH debit',
  aliases: ['debit again', 'present again', 'nsf'],
  on: invoice,
  suggestedFilter: { status: 'RETURNED,PARTIALLY_RETURNED' },
  does: retryAch,
  form: {
    schema: (_, one) =>
      one
        ? form.superRefine(({ debit_date }, context) => {
            const refusal = validateDebitDate(debit_date, one.as_of) ?? validateRetry(one.ach ?? {}, debit_date)
            if (refusal) context.addIssue({ code: 'custom', path: ['debit_date'], message: refusal.sentence })
          })
        : form,
    start: (one) => (one ? { debit_date: addBusinessDays(one.as_of, 1) } : {}),
  },
  preview: {
    rows: (one) => previewOf(one, { status: 'SCHEDULED', debit: openAmountOf(one) }),
    warning: (one) => (one.ach?.return_code ? `The last debit came back: ${codeLabel(one.ach.return_code)}.` : null),
  },
  done: (one, { debit_date }) => `${one.number} is debited again on ${dayText(dayOf(debit_date))}`,
})
