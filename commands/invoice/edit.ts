import { dayOf, dayText } from '#domain/day-text.ts'
import type { z } from 'zod'
import { editInvoice } from '#contract/invoice-changes.ts'
import type { Invoice } from '#contract/invoices.ts'
import { debitDateOf, validateMovedDebit, movedDebitDate } from '#domain/ach.ts'
import { validateDueDate } from '#domain/money-dates.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

const form = editInvoice.body.omit({ version: true, debit_date: true })

export default defineCommand<Invoice, typeof editInvoice, z.infer<typeof form>>({
  id: 'invoice.edit',
  title: 'Change due date',
  aliases: [
    'edit invoice',
    'postpone',
    'due date',
    'extend',
    'delay',
    'push',
    'push back',
    'reschedule',
    'extend due date',
    'move due date',
    'push due date',
  ],
  on: invoice,
  does: editInvoice,
  form: {
    schema: (_, one) =>
      one
        ? form.superRefine(({ due_date }, context) => {
            const refusal = validateDueDate(due_date, one) ?? validateMovedDebit(one, movedDebitDate(one, due_date))
            if (refusal) context.addIssue({ code: 'custom', path: ['due_date'], message: refusal.sentence })
          })
        : form,
    start: (one) => (one ? { due_date: one.due_date } : {}),
  },
  preview: (one, { due_date }) => {
    if (!due_date || due_date === one.due_date) return []
    const debit = { what: 'debit date', before: debitDateOf(one.ach), after: movedDebitDate(one, due_date) }
    const dates = [{ what: 'due date', before: one.due_date, after: due_date }, debit]
    return dates.flatMap(({ what, before, after }) =>
      before && after && before !== after ? [{ of: one.number, what, before, after }] : [],
    )
  },
  undo: ({ before, after }) => undoing(editInvoice, after, { due_date: before.due_date, debit_date: debitDateOf(before.ach) }),
  done: (one, { due_date }) => `${one.number} is due ${dayText(dayOf(due_date))}`,
})
