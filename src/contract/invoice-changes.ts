import { z } from 'zod'
import {
  canCancelRefund,
  canClose,
  canCollect,
  canEdit,
  canMarkSelfPay,
  canRefund,
  canReopen,
  canRetryAch,
  canRollover,
  canUnflag,
  invoiceStatuses,
} from '#domain/invoice.ts'
import { openAmountOf, type InFlightFacts } from '#domain/ach.ts'
import { waitingAmountOf } from '#domain/overpayment.ts'
import { all, byIntent } from '#domain/permissions.ts'
import { action, type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { inFull } from '#domain/amounts.ts'
import { date, expected, longText, money, version } from '#contract/fields.ts'
import { Invoice } from '#contract/invoices.ts'
import { refreshPage } from '#contract/problem.ts'

/** Message for a stale version if the invoice may be in any status (ERR-032, ERR-033). */
export const statusChanged = (about: string) => (): string =>
  `There was a problem with the ${about}, or your Invoice Status has changed. ${refreshPage}`

/** The amount of an invoice that is closed, reopened or collected, in cents. */
const outstanding = (one: { outstanding_amount: number }) => inFull(one.outstanding_amount)

/** Message for a stale version if closing is no longer possible: somebody else closed it (ERR-031). */
export const closedMeanwhile =
  (about: string) =>
  (invoice: { status: string }): string =>
    invoice.status === 'CLOSED'
      ? 'Invoice was closed in the meantime. Look at it as it is now, then try again.'
      : statusChanged(about)()

export const updateInvoice = endpoint({
  method: 'PATCH',
  path: '/invoices/{id}',
  summary: 'Change the due date of an invoice, or let the debtor pay it by itself',
  tag: 'Invoices',
  answer: Invoice,
  extension: true,
  money: true,
  needs: byIntent,
})

export const payBySelf = intent(updateInvoice, {
  id: 'invoice.pay-by-self',
  body: z.object({ payment_method: z.literal('SELF_PAY'), reason: longText('Reason').optional(), version: version() }),
  needs: all('write:billing'),
  event: 'Switched to self pay',
  refuses: canMarkSelfPay,
  stale: closedMeanwhile('change'),
})

export const editInvoice = intent(updateInvoice, {
  id: 'invoice.edit',
  body: z.object({
    due_date: date('Due date'),
    /** When the scheduled debit goes to the bank, if it does not follow from the due date; moved to the next banking day. */
    debit_date: date('Debit date').optional(),
    reason: longText('Reason').optional(),
    version: version(),
  }),
  needs: all('write:billing'),
  event: 'Edited',
  refuses: canEdit,
  stale: closedMeanwhile('change'),
  // Undo restores the date of the debit itself: a person may have chosen it, and the terms may have changed since.
  undo: ({ id, version }: Undoing, { due_date, debit_date }: { due_date: string; debit_date?: string | null }): Call | null =>
    editInvoice({ id }, { due_date, ...(debit_date && { debit_date }), reason: 'Undone', version }),
})

const step = <const Name extends string>(name: Name, summary: string) =>
  ({
    method: 'POST',
    path: `/invoices/{id}/${name}`,
    summary,
    tag: 'Invoices',
    answer: Invoice,
    extension: true,
    money: true,
  }) as const

const noted = z.object({ notes: longText('Notes').optional(), version: version() })

export const close = action({
  ...step('close', 'Close an invoice'),
  id: 'invoice.close',
  body: noted,
  needs: all('write:billing'),
  event: 'Closed',
  refuses: canClose,
  stale: closedMeanwhile('request'),
  amounts: outstanding,
  // Reopening would make it Sent, whatever it was before.
  undo: ({ id, version }: Undoing, before: { status: string }): Call | null =>
    before.status === 'SENT' ? reopen({ id }, { notes: 'Undone', version }) : null,
})

export const reopen = action({
  ...step('reopen', 'Reopen a closed invoice'),
  id: 'invoice.reopen',
  body: noted,
  needs: all('write:billing'),
  event: 'Reopened',
  refuses: canReopen,
  amounts: outstanding,
  stale: (invoice: { status: string }) =>
    `There was a problem with the request, or your Invoice Status has changed to ${invoiceStatuses.label(invoice.status)}. Refresh the page and try again.`,
  noUndo: 'It had closed by itself. Closed by hand it would stay Paid when its money comes back.',
  undo: ({ id, version }: Undoing, before: { closed_by?: unknown }): Call | null =>
    before.closed_by ? close({ id }, { notes: 'Undone', version }) : null,
})

export const collect = action({
  ...step('collect', 'Collect a returned invoice by hand'),
  id: 'invoice.collect',
  body: noted,
  needs: all('write:billing'),
  event: 'Collected manually',
  refuses: canCollect,
  stale: closedMeanwhile('request'),
  amounts: outstanding,
})

export const unflag = action({
  ...step('unflag', 'Remove the flag from the debtor of an invoice'),
  id: 'invoice.unflag',
  body: z.object({ reason: longText('Reason'), version: version() }),
  needs: all('write:billing'),
  event: 'Debtor unflagged',
  refuses: canUnflag,
  stale: statusChanged('request'),
})

export const retryAch = action({
  ...step('retry', 'Debit a returned invoice once more'),
  id: 'invoice.retry-ach',
  body: z.object({ debit_date: date('Debit date'), version: version() }),
  needs: all('write:billing'),
  event: 'Debit scheduled again',
  refuses: canRetryAch,
  stale: closedMeanwhile('request'),
  amounts: (one: InFlightFacts) => inFull(openAmountOf(one)),
})

export const rollover = action({
  ...step('rollover', 'Roll overpaid money over to the next invoice'),
  id: 'invoice.rollover',
  /** `expected` contains this invoice and the one that takes the money. */
  body: z.object({ amount: money('Rollover amount'), notes: longText('Notes').optional(), expected: expected() }),
  needs: all('write:billing'),
  event: 'Rolled over',
  refuses: canRollover,
  stale: statusChanged('Rollover request'),
})

export const refund = action({
  ...step('refund', 'Refund overpaid money towards the next invoice'),
  id: 'invoice.refund',
  body: z.object({ amount: money('Refund amount', { min: 1 }), notes: longText('Notes').optional(), version: version() }),
  needs: all('write:billing'),
  event: 'Refund requested',
  refuses: canRefund,
  stale: statusChanged('Refund request'),
})

export const cancelRefund = action({
  ...step('cancel-refund', 'Cancel what of a refund no invoice has absorbed'),
  id: 'invoice.cancel-refund',
  /** Without an amount, everything that waits is cancelled. */
  body: noted.extend({ amount: money('Amount', { min: 1 }).optional() }),
  needs: all('write:billing'),
  event: 'Refund cancelled',
  refuses: canCancelRefund,
  stale: statusChanged('Refund request'),
  amounts: ({ refund }: Pick<Invoice, 'refund'>, { amount }: { amount?: number }) => {
    const all = waitingAmountOf(refund)
    return { moved: amount ?? all, left: all - (amount ?? all) }
  },
})
