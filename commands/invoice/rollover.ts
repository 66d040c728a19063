import { z } from 'zod'
import { rollover, statusChanged } from '#contract/invoice-changes.ts'
import { longText, money } from '#contract/fields.ts'
import { getOverpayment, type Invoice, type Overpayment } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { judgeNextInvoice, judgeRollover, rolloverCap } from '#domain/overpayment.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({ amount: money('Rollover amount'), notes: longText('Notes').optional() })

export default defineCommand<Invoice, typeof rollover, z.infer<typeof form>>({
  id: 'invoice.rollover',
  title: 'Roll overpayment over',
  aliases: ['manage overpayment', 'rollover', 'credit', 'move to next invoice'],
  icon: 'forward',
  on: invoice,
  does: rollover,
  bulk: false,
  form: (_, one) =>
    one
      ? form.superRefine(({ amount }, context) => {
          const refusal = judgeRollover(one, amount)
          if (refusal) context.addIssue({ code: 'custom', path: ['amount'], message: refusal.sentence })
        })
      : form,
  start: (one) => (one ? { amount: rolloverCap(one) } : {}),
  facts: async (one, read) => (await read(getOverpayment, { id: one.id })) as Overpayment,
  judges: (_, { amount }, facts) => {
    const refusal = judgeNextInvoice(amount, (facts as Overpayment).next_invoice)
    return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
  },
  preview: (one, { amount = 0 }, facts) => {
    const { next_invoice: next } = facts as Overpayment
    if (!next || judgeNextInvoice(amount, next)) return []
    return [
      ...previewOf(one, { paid: -amount }),
      ...previewOf(
        { ...next, paid_amount: next.invoice_amount - next.outstanding_amount, writeoff_amount: 0 },
        { rollover: amount },
      ),
    ]
  },
  plan: (one, params, facts) => {
    const { next_invoice: next } = facts as Overpayment
    const expected = { [one.id]: one.version, ...(next ? { [next.id]: next.version } : {}) }
    return [rollover({ id: one.id }, { ...params, expected })]
  },
  done: (one, { amount }) => `Rolled ${formatCents(amount)} of ${one.number} over`,
  failed: statusChanged('Rollover request'),
})
