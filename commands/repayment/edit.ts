import { z } from 'zod'
import { longText } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { addRepayment, editRepayment, type Repayment } from '#contract/repayments.ts'
import { validateShareChange, fitShares } from '#domain/reallocation.ts'
import { validateRepaymentEdit } from '#domain/repayment.ts'
import { dueWords } from '#entities/forms/due-words.ts'
import { invoiceHeads, lineOf, previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand } from '#kernel/command.ts'
import { leftOver, sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'

const notes = z.object({ notes: longText('Notes').optional() })
const form = z
  .object({
    amount: addRepayment.body.shape.amount,
    repayment_date: addRepayment.body.shape.repayment_date,
  })
  .extend({ ...notes.shape, reason: editRepayment.body.shape.reason })
type Params = Partial<z.infer<typeof form>>

/** The reductions per invoice if the amount changes: a smaller amount is cut from the newest invoices. */
function cutsOf(one: Repayment, amount: number | undefined, invoices: readonly Invoice[]) {
  if (amount === undefined || amount === one.amount || amount < 0) return []
  const dated = one.allocations.map((share) => {
    const { due_date = null, issue_date = null } = invoices.find((each) => each.id === share.invoice_id) ?? {}
    return { ...share, due_date, issue_date }
  })
  const kept = fitShares(amount, dated)
  return one.allocations.flatMap((share) => {
    const change = (kept.find((each) => each.invoice_id === share.invoice_id)?.amount ?? 0) - share.amount
    const invoice = invoices.find((each) => each.id === share.invoice_id)
    return change === 0 || !invoice ? [] : [{ invoice, change }]
  })
}

const allocatedOf = (one: Repayment): string => JSON.stringify(one.allocations.map((each) => [each.invoice_id, each.amount]))

export default defineCommand<Repayment, typeof editRepayment, Params, Invoice[]>({
  id: 'repayment.edit',
  title: 'Edit repayment',
  aliases: ['change repayment', 'correct amount', 'manage repayments'],
  on: repayment,
  does: editRepayment,
  keys: [{ scope: 'row', chord: 'e' }],
  facts: async (one, read): Promise<Invoice[]> => {
    const ids = one.allocations.map((each) => each.invoice_id).join(',')
    return ids ? (await read(listInvoices, {}, { id: ids, limit: '200' })).data : []
  },
  form: {
    // Only a manually entered repayment can change its amount and date.
    schema: (_, one) =>
      one && one.origin !== 'USER'
        ? notes
        : one
          ? form.superRefine(({ amount, repayment_date }, context) => {
              const refusal = validateRepaymentEdit({ ...one, date: one.repayment_date }, { amount, date: repayment_date })
              if (refusal) context.addIssue({ code: 'custom', path: ['amount'], message: refusal.sentence })
            })
          : form,
    start: (one) =>
      one ? { amount: one.amount, repayment_date: one.repayment_date, ...(one.notes ? { notes: one.notes } : {}) } : {},
    messages: (one, { amount }, facts) =>
      cutsOf(one, amount, facts).flatMap(({ invoice, change }) => {
        const refusal = validateShareChange(invoice, change)
        return refusal ? [{ path: 'amount', message: `${invoice.number}: ${refusal.sentence}` }] : []
      }),
  },
  preview: {
    rows: (one, { amount, repayment_date }, facts) => {
      const cuts = cutsOf(one, amount, facts)
      const cut = cuts.reduce((sum, each) => sum + each.change, 0)
      const now = amount ?? one.amount
      return [
        ...amountRow(one.reference_id, 'amount', one.amount, now),
        ...(repayment_date && repayment_date !== one.repayment_date
          ? [{ of: one.reference_id, what: 'date', before: one.repayment_date, after: repayment_date }]
          : []),
        ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, one.unallocated_amount + (now - one.amount) - cut),
        ...cuts.flatMap(({ invoice, change }) => previewOf(invoice, { paid: change })),
      ]
    },
    lines: (one, { amount }, invoices) => {
      if (one.origin !== 'USER') return null
      const cuts = cutsOf(one, amount, invoices)
      const now = amount ?? one.amount
      const lines = one.allocations.flatMap((share) => {
        const invoice = invoices.find((each) => each.id === share.invoice_id)
        const change = cuts.find((each) => each.invoice === invoice)?.change ?? 0
        return invoice
          ? [{ ...lineOf(invoice, { paid: change }), detail: dueWords(invoice), has: share.amount, moves: share.amount + change }]
          : []
      })
      const sum = sumOf(lines.map((each) => each.moves))
      const heads = invoiceHeads('This pays')
      return {
        ...heads,
        lines,
        sums: [
          { title: 'Amount', cents: now },
          { title: `Allocated, ${pluralize(lines.length, heads)}`, cents: sum },
          leftOver('Unallocated', now - sum),
        ],
        hint: 'A smaller amount is taken from the newest.',
      }
    },
  },
  plan: (one, { amount, repayment_date, reason, notes: written }, facts) => [
    editRepayment(
      { id: one.id },
      {
        ...(amount === undefined || amount === one.amount ? {} : { amount }),
        ...(repayment_date === undefined || repayment_date === one.repayment_date ? {} : { repayment_date }),
        ...(reason === undefined ? {} : { reason }),
        notes: written ?? null,
        expected: Object.fromEntries(cutsOf(one, amount, facts).map(({ invoice }) => [invoice.id, invoice.version])),
        version: one.version,
      },
    ),
  ],
  undo: {
    steps: ({ before, after }) =>
      allocatedOf(before) === allocatedOf(after)
        ? [
            editRepayment(
              { id: after.id },
              {
                ...(before.amount === after.amount ? {} : { amount: before.amount }),
                ...(before.repayment_date === after.repayment_date ? {} : { repayment_date: before.repayment_date }),
                notes: before.notes,
                reason: 'Undone',
                version: after.version,
              },
            ),
          ]
        : null,
    // Undo restores the amount, but not the shares that a smaller amount reduced.
    applies: (one, { amount }, facts) => cutsOf(one, amount, facts).length === 0,
    alternative: () => 'Change the amount with Edit repayment, then allocate it with Allocate repayment.',
  },
  done: (one) => `Changed ${one.reference_id}`,
})
