import type { z } from 'zod'
import { editInvoice } from '#contract/invoice-changes.ts'
import type { Invoice } from '#contract/invoices.ts'
import { judgeDueDate } from '#domain/money-dates.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

const form = editInvoice.body.omit({ version: true })

export default defineCommand<Invoice, typeof editInvoice, z.infer<typeof form>>({
  id: 'invoice.edit',
  title: 'Change due date',
  aliases: ['edit invoice', 'postpone'],
  icon: 'edit',
  on: invoice,
  does: editInvoice,
  form: (_, one) =>
    one
      ? form.superRefine(({ due_date }, context) => {
          const refusal = judgeDueDate(due_date, one)
          if (refusal) context.addIssue({ code: 'custom', path: ['due_date'], message: refusal.sentence })
        })
      : form,
  start: (one) => (one ? { due_date: one.due_date } : {}),
  preview: (one, { due_date }) =>
    due_date && due_date !== one.due_date ? [{ of: one.number, what: 'due date', before: one.due_date, after: due_date }] : [],
  undo: ({ before, after }) => undoing(editInvoice, after, before),
  done: (one, { due_date }) => `${one.number} is due ${due_date}`,
  failed: (one) => `Something went wrong changing ${one.number}`,
})
