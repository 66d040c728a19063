import { z } from 'zod'
import { cancelRefund, refund, reopen, statusChanged } from '#contract/invoice-changes.ts'
import type { Call } from '#contract/define.ts'
import { longText, money } from '#contract/fields.ts'
import { getOverpayment, type Invoice, type Overpayment } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { judgeRefund, refundCap, waitingAmountOf } from '#domain/overpayment.ts'
import { amountRow, previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({ amount: money('Refund amount'), notes: longText('Notes').optional() })

export default defineCommand<Invoice, typeof refund, z.infer<typeof form>>({
  id: 'invoice.refund',
  title: 'Refund overpayment',
  aliases: ['manage overpayment', 'refund invoice', 'pay back'],
  icon: 'undo',
  on: invoice,
  does: refund,
  bulk: false,
  form: (_, one) =>
    one
      ? form.superRefine(({ amount }, context) => {
          const refusal = judgeRefund(one, amount)
          if (refusal) context.addIssue({ code: 'custom', path: ['amount'], message: refusal.sentence })
        })
      : form,
  start: (one) => (one ? { amount: refundCap(one) } : {}),
  facts: async (one, read) => (await read(getOverpayment, { id: one.id })) as Overpayment,
  preview: (one, { amount = 0 }, facts) => {
    const { next_invoice: next } = facts as Overpayment
    return [
      ...previewOf(one, { paid: -amount, status: 'REFUND_IN_PROGRESS', facts: { refund: 'WAITING' } }),
      ...amountRow(one.number, 'pending refund', waitingAmountOf(one.refund), waitingAmountOf(one.refund) + amount),
      // What is reported already takes nothing in any more; the money waits for the one after it.
      ...(next?.status === 'DRAFT'
        ? amountRow(
            next.number,
            'outstanding once it is reported',
            next.outstanding_amount,
            Math.max(0, next.outstanding_amount - amount),
          )
        : []),
    ]
  },
  warning: () => "Credited to the debtor's next invoice; if there is none, listed under Exceptions.",
  // A refund that is taken back leaves the invoice closed: what waited before waits again, and one that was open is opened again.
  undo: ({ before, after: { id, version } }) => {
    const next =
      (call: (at: { id: number }, body: { notes: string; version: number }) => Call) => (answers: readonly unknown[]) =>
        call({ id }, { notes: 'Undone', version: (answers.at(-1) as Invoice).version })
    const waited = waitingAmountOf(before.refund)
    return [
      cancelRefund({ id }, { notes: 'Undone', version }),
      ...(waited > 0 ? [next((at, body) => refund(at, { ...body, amount: waited }))] : []),
      ...(before.status === 'SENT' ? [next(reopen)] : []),
    ]
  },
  done: (one, { amount }) => `Refunding ${formatCents(amount)} of ${one.number}`,
  failed: statusChanged('Refund request'),
})
