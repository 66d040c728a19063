import { z } from 'zod'
import { longText } from '#contract/fields.ts'
import { addRepayment, editRepayment, type Repayment } from '#contract/repayments.ts'
import { formatCents } from '#domain/money.ts'
import { judgeRepaymentEdit } from '#domain/repayment.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand, type PreviewRow } from '#kernel/command.ts'

const notes = z.object({ notes: longText('Notes').optional() })
const form = z
  .object({
    amount: addRepayment.body.shape.amount,
    repayment_date: addRepayment.body.shape.repayment_date,
  })
  .extend(notes.shape)
type Params = Partial<z.infer<typeof form>>

export default defineCommand<Repayment, typeof editRepayment, Params>({
  id: 'repayment.edit',
  title: 'Edit repayment',
  aliases: ['change repayment', 'correct amount', 'manage repayments'],
  icon: 'edit',
  on: repayment,
  does: editRepayment,
  bulk: false,
  keys: [{ scope: 'row', chord: 'e' }],
  // What nobody entered by hand keeps its amount and date.
  form: (_, one) =>
    one && one.origin !== 'USER'
      ? notes
      : one
        ? form.superRefine(({ amount, repayment_date }, context) => {
            const refusal = judgeRepaymentEdit({ ...one, date: one.repayment_date }, { amount, date: repayment_date })
            if (refusal) context.addIssue({ code: 'custom', path: ['amount'], message: refusal.sentence })
          })
        : form,
  start: (one) =>
    one ? { amount: one.amount, repayment_date: one.repayment_date, ...(one.notes ? { notes: one.notes } : {}) } : {},
  preview: (one, params): PreviewRow[] => [
    ...(params.amount !== undefined && params.amount !== one.amount
      ? [{ of: one.reference_id, what: 'amount', before: formatCents(one.amount), after: formatCents(params.amount) }]
      : []),
    ...(params.repayment_date && params.repayment_date !== one.repayment_date
      ? [{ of: one.reference_id, what: 'date', before: one.repayment_date, after: params.repayment_date }]
      : []),
  ],
  plan: (one, { amount, repayment_date, notes: written }) => [
    editRepayment(
      { id: one.id },
      {
        ...(amount === undefined || amount === one.amount ? {} : { amount }),
        ...(repayment_date === undefined || repayment_date === one.repayment_date ? {} : { repayment_date }),
        notes: written ?? null,
        version: one.version,
      },
    ),
  ],
  undo: ({ before, after }) => [
    editRepayment(
      { id: after.id },
      {
        ...(before.amount === after.amount ? {} : { amount: before.amount }),
        ...(before.repayment_date === after.repayment_date ? {} : { repayment_date: before.repayment_date }),
        notes: before.notes,
        version: after.version,
      },
    ),
  ],
  done: (one) => `Changed ${one.reference_id}`,
  failed: (one) => `Something went wrong changing ${one.reference_id}`,
})
