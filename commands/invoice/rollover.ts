import { z } from 'zod'
import { rollover, statusChanged } from '#contract/invoice-changes.ts'
import { longText, money } from '#contract/fields.ts'
import { getOverpayment, type Invoice, type Overpayment } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { validateNextInvoice, validateRollover, overpaidOf, rolloverCap } from '#domain/overpayment.ts'
import { invoiceHeads, lineOf, previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { leftOver } from '#kernel/money-lines.ts'

const form = z.object({ amount: money('Rollover amount'), notes: longText('Notes').optional() })

type Next = NonNullable<Overpayment['next_invoice']>

/** The known facts of the next invoice, with the amounts of a preview. */
const asInvoice = (next: Next) => ({
  ...next,
  paid_amount: next.invoice_amount - next.outstanding_amount,
  writeoff_amount: 0,
})

export default defineCommand<Invoice, typeof rollover, z.infer<typeof form>, Overpayment>({
  id: 'invoice.rollover',
  title: 'Roll overpayment over',
  aliases: ['manage overpayment', 'rollover', 'roll over', 'credit', 'move to next invoice'],
  icon: 'forward',
  on: invoice,
  suggestedFilter: { status: 'OVERPAID' },
  does: rollover,
  facts: (one, read) => read(getOverpayment, { id: one.id }),
  form: {
    schema: form,
    start: (one) => (one ? { amount: rolloverCap(one) } : {}),
    messages: (one, { amount }, facts) => {
      if (amount === undefined) return []
      const refusal = validateRollover(one, amount) ?? validateNextInvoice(amount, facts.next_invoice)
      return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
    },
  },
  preview: {
    rows: (one, { amount = 0 }, facts) => {
      const { next_invoice: next } = facts
      if (!next || validateNextInvoice(amount, next)) return []
      return [...previewOf(one, { paid: -amount }), ...previewOf(asInvoice(next), { rollover: amount })]
    },
    lines: (one, { amount = 0 }, facts) => {
      const { next_invoice: next } = facts
      return {
        ...invoiceHeads('Rolls over'),
        notSummed: true,
        lines: [
          { ...lineOf(one, { paid: -amount }), moves: amount },
          ...(next ? [{ ...lineOf(asInvoice(next), { rollover: amount }), detail: 'the next invoice' }] : []),
        ],
        sums: [
          { title: 'Overpaid', cents: overpaidOf(one) },
          { title: 'Rolls over', cents: amount },
          leftOver('Stays overpaid', overpaidOf(one) - amount),
        ],
        max: Math.min(rolloverCap(one), Math.max(0, next?.outstanding_amount ?? 0)),
      }
    },
  },
  plan: (one, params, facts) => {
    const { next_invoice: next } = facts
    const expected = { [one.id]: one.version, ...(next ? { [next.id]: next.version } : {}) }
    return [rollover({ id: one.id }, { ...params, expected })]
  },
  done: (one, { amount }) => `Rolled ${formatCents(amount)} of ${one.number} over`,
  failed: statusChanged('Rollover request'),
})
