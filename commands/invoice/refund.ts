import { z } from 'zod'
import { cancelRefund, refund, reopen, statusChanged } from '#contract/invoice-changes.ts'
import { longText, money } from '#contract/fields.ts'
import { getOverpayment, type Invoice, type Overpayment } from '#contract/invoices.ts'
import { canReopen } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { validateRefund, overpaidOf, refundCap, waitingAmountOf } from '#domain/overpayment.ts'
import { invoiceHeads, lineOf, type Moves, previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'
import { leftOver } from '#kernel/money-lines.ts'

const form = z.object({ amount: money('Refund amount'), notes: longText('Notes').optional() })

const moves = (amount: number): Moves => ({ paid: -amount, status: 'REFUND_IN_PROGRESS', facts: { refund: 'WAITING' } })

/** Cancelling a whole refund closes the invoice, and reopens one that was open, which is refused once its credit is used. */
const staysClosed = (before: Invoice, after: Invoice): boolean =>
  before.status === 'SENT' && canReopen({ ...after, status: 'CLOSED' }) !== null

export default defineCommand<Invoice, typeof refund, z.infer<typeof form>, Overpayment>({
  id: 'invoice.refund',
  title: 'Refund overpayment',
  aliases: ['manage overpayment', 'refund invoice', 'pay back'],
  icon: 'undo',
  on: invoice,
  suggestedFilter: { status: 'OVERPAID' },
  does: refund,
  bulk: false,
  facts: (one, read) => read(getOverpayment, { id: one.id }),
  form: {
    schema: form,
    start: (one) => (one ? { amount: refundCap(one) } : {}),
    messages: (one, { amount }) => {
      const refusal = amount === undefined ? null : validateRefund(one, amount)
      return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
    },
  },
  preview: {
    rows: (one, { amount = 0 }, facts) => {
      const { next_invoice: next } = facts
      return [
        ...previewOf(one, moves(amount)),
        ...amountRow(one.number, 'pending refund', waitingAmountOf(one.refund), waitingAmountOf(one.refund) + amount),
        // An invoice that is already reported takes no refund; the money waits for the next one.
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
    lines: (one, { amount = 0 }, facts) => {
      const { next_invoice: next } = facts
      const taken = next?.status === 'DRAFT' ? Math.min(amount, next.outstanding_amount) : 0
      return {
        ...invoiceHeads('Refunded'),
        notSummed: true,
        lines: [
          { ...lineOf(one, moves(amount)), moves: amount },
          ...(next && taken > 0
            ? [
                {
                  id: next.id,
                  title: next.number,
                  detail: 'the next invoice, once it is reported',
                  before: next.outstanding_amount,
                  moves: taken,
                  after: next.outstanding_amount - taken,
                },
              ]
            : []),
        ],
        sums: [
          { title: 'Overpaid', cents: overpaidOf(one) },
          { title: 'Refund', cents: amount },
          leftOver('Stays overpaid', overpaidOf(one) - amount),
        ],
        max: refundCap(one),
      }
    },
    warning: () => "Credited to the debtor's next invoice; if there is none, listed under Exceptions.",
  },
  undo: {
    // A refund that waited before keeps waiting.
    steps: ({ before, after, params: { amount } }) => {
      const { id, version } = after
      if (staysClosed(before, after)) return null
      const opening = (answers: readonly unknown[]) =>
        reopen({ id }, { notes: 'Undone', version: answerTo(cancelRefund, answers.at(-1)).version })
      return [cancelRefund({ id }, { notes: 'Undone', version, amount }), ...(before.status === 'SENT' ? [opening] : [])]
    },
    applies: (one) => !staysClosed(one, one),
  },
  done: (one, { amount }) => `Refunding ${formatCents(amount)} of ${one.number}`,
  failed: statusChanged('Refund request'),
})
