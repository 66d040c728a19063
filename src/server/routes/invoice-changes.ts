import {
  cancelRefund,
  close,
  collect,
  editInvoice,
  payBySelf,
  refund,
  reopen,
  retryAch,
  rollover,
  unflag,
} from '#contract/invoice-changes.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { debitDateFor, debitDateOf, validateDebitDate, validateMovedDebit, validateRetry, movedDebitDate } from '#domain/ach.ts'
import { validateDueDate, validateYears } from '#domain/money-dates.ts'
import { requestRefund, takeRefundBack } from '#server/money/credits/refund.ts'
import { lockRollover, rollOver } from '#server/money/credits/roll-over.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { invalid, Refused, notFound } from '#server/http-error.ts'
import { byId, type ChangeOf, changing } from '#server/http/route.ts'
import { resolveFlags } from '#server/tables/debtor-flags.ts'
import { cancelDebit, moveDebit, scheduleDebit } from '#server/tables/debits.ts'
import type { Tx } from '#server/tables/database.ts'
import { type InvoiceRow, invoiceSnapshot, lockInvoice, oneInvoice, saveInvoice, toInvoice } from '#server/tables/invoices.ts'

/** A change of one invoice, locked and open to the person. */
const change = changing({
  entity: 'invoice',
  locate: byId('invoices'),
  subject: ({ tx, actor, params, located }) => lockInvoice(tx, actor, located ?? params.id),
  snapshot: invoiceSnapshot,
  answer: toInvoice,
})

/** Changes the row, which increments its version, and returns it. */
async function saveAndRead({ tx, now, subject }: ChangeOf<InvoiceRow>, changes: Parameters<typeof saveInvoice>[2]) {
  // Pipelined: the read comes after the change.
  const [, after] = await Promise.all([saveInvoice(tx, subject, changes, now), oneInvoice(tx, null, subject)])
  return { after: after as InvoiceRow }
}

/** Moves the scheduled debit along with the due date, or to a given date; refuses a date if no debit is scheduled. */
async function moveDebitAlong(tx: Tx, invoice: InvoiceRow, due_date: string, named: string | undefined): Promise<void> {
  const scheduledFor = debitDateOf(invoice.ach)
  if (scheduledFor === null && named !== undefined)
    throw invalid([{ path: 'debit_date', message: 'No debit waits for its date.' }])
  const date = named === undefined ? movedDebitDate(invoice, due_date) : debitDateFor(named, 0, invoice.as_of)
  if (date === null || date === scheduledFor) return
  // Only an undo gives a date, which was valid before.
  const path = named === undefined ? 'due_date' : 'debit_date'
  const wrong = validateYears(date, invoice.as_of) ?? validateMovedDebit(invoice, date)
  if (wrong) throw invalid([{ path, message: wrong.sentence }])
  await moveDebit(tx, invoice, date)
}

function requireDebitDate(invoice: InvoiceRow, date: string): void {
  const wrong = validateDebitDate(date, invoice.as_of)
  if (wrong) throw invalid([{ path: 'debit_date', message: wrong.sentence }])
  const late = validateRetry(invoice.ach ?? {}, date)
  if (late) throw new Refused(409, late.code, late.sentence)
}

export const routes = [
  change(payBySelf, async (context) => {
    await cancelDebit(context.tx, context.subject)
    return saveAndRead(context, { status: 'SENT', payment_method: 'SELF_PAY' })
  }),

  change(editInvoice, async (context) => {
    const { subject, body } = context
    const wrong = validateDueDate(body.due_date, subject)
    if (wrong) throw invalid([{ path: 'due_date', message: wrong.sentence }])
    await moveDebitAlong(context.tx, subject, body.due_date, body.debit_date)
    return saveAndRead(context, { due_date: body.due_date })
  }),

  change(close, (context) =>
    saveAndRead(context, {
      status: 'CLOSED',
      closed_at: context.now,
      closed_by: context.actor.id,
      closed_by_name: context.actor.name,
    }),
  ),

  // Whether it closes automatically is decided at the next movement of money, so that it stays open until then.
  change(reopen, (context) => saveAndRead(context, { status: 'SENT', closed_at: null, closed_by: null, closed_by_name: null })),

  change(collect, (context) => saveAndRead(context, { status: 'SENT' })),

  change(unflag, async (context) => {
    const { tx, actor, subject, now } = context
    // Flags concern the whole debtor, which may have employers that are not open to the person.
    if (!(await isOpenDebtor(tx, actor, subject.debtor_type, subject.debtor_id))) throw notFound()
    await resolveFlags(tx, 'debtor', subject, now)
    return saveAndRead(context, {})
  }),

  change(retryAch, async (context) => {
    const { tx, subject, body } = context
    requireDebitDate(subject, body.debit_date)
    await scheduleDebit(tx, subject, body.debit_date, (subject.ach?.retries ?? 0) + 1)
    return saveAndRead(context, { status: 'SCHEDULED' })
  }),

  changing({
    locate: byId('invoices'),
    subject: async ({ tx, actor, params, body, located }) => {
      const pair = await lockRollover(tx, actor, located ?? params.id, (body?.expected ?? {}) as Record<string, number>)
      return pair && { ...pair.source, ...pair }
    },
    target: ({ source }) => ({ entity: 'invoice', id: String(source.id), version: source.version }),
    snapshot: ({ source }) => invoiceSnapshot(source),
    answer: ({ source }) => toInvoice(source),
  })(rollover, async (context) => {
    const after = await rollOver(movementOf(context, context.body.notes), context.subject, context.body.amount)
    return { after: { ...after.source, ...after } }
  }),

  change(refund, async (context) => {
    const { tx, actor, subject, body } = context
    // The money goes to the next invoice of the debtor, so the debtor must be open to the person.
    if (!(await isOpenDebtor(tx, actor, subject.debtor_type, subject.debtor_id)))
      throw new Refused(409, 'beyond-access', 'This invoice is billed to its organization, which is not open to you.')
    return { after: await requestRefund(movementOf(context), subject, body.amount) }
  }),

  change(cancelRefund, async (context) => ({
    after: await takeRefundBack(movementOf(context), context.subject, context.body.amount),
  })),
]
