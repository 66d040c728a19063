import {
  approve,
  countWriteOffs,
  getWriteOff,
  listWriteOffEvents,
  listWriteOffs,
  reject,
  reverse,
  writeOffProblem,
} from '#contract/write-offs.ts'
import { formatCents } from '#domain/money.ts'
import { isSuperAdmin } from '#domain/permission-groups.ts'
import type { Refusal } from '#domain/refusal.ts'
import { validateApproval, validateRoom } from '#domain/write-off.ts'
import { movementOf } from '#server/http/moved-by.ts'
import { Refused, orNotFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { reads } from '#server/http/reads.ts'
import { byId, changing } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { deductionChanged } from '#server/tables/deductions.ts'
import { type InvoiceRow, oneInvoice, saveInvoice } from '#server/tables/invoices.ts'
import { postAndUpdate, requireExpected, reversalOf, effectiveEntries } from '#server/tables/ledger.ts'
import { writeOffList } from '#server/tables/write-off-list.ts'
import { lockWriteOff, oneWriteOff, saveWriteOff, toWriteOff, writeOffSnapshot } from '#server/tables/write-offs.ts'

const open = orNotFound(oneWriteOff)

/** A decision on a write-off: it is locked, then its invoice. */
const decision = changing({
  entity: 'write-off',
  locate: byId('write_offs'),
  subject: ({ tx, actor, params, located }) => lockWriteOff(tx, actor, located ?? params.id),
  snapshot: writeOffSnapshot,
  answer: toWriteOff,
})

const refuseAmount = (refusal: Refusal | null): void => {
  if (!refusal) return
  throw new Refused(409, refusal.code, refusal.sentence, { errors: [{ path: 'amount', message: refusal.sentence }] })
}

/** The text of a decision for the history: the person's words and additions. */
const joinLines = (...words: (string | false | null | undefined)[]): string => words.filter(Boolean).join('\n')

/** The result of a decision: the write-off afterwards. */
async function toResult(tx: Tx, actor: Actor, invoice: InvoiceRow, id: number, text: string) {
  return { after: { ...(await open(tx, actor, id)), invoice }, text }
}

const decider = (actor: Actor, now: Date) => ({ decided_by: actor.id, decided_by_name: actor.name, decided_at: now })

export const routes = [
  ...reads(
    { list: listWriteOffs, count: countWriteOffs, get: getWriteOff, history: listWriteOffEvents },
    { list: writeOffList, open, answer: toWriteOff, entity: 'write-off' },
  ),

  decision(approve, async (context) => {
    const { tx, actor, subject, body, now } = context
    const { id, invoice, line_id, suggested_amount } = subject
    const { amount = suggested_amount } = body
    if (body.expected) requireExpected([invoice], body.expected, writeOffProblem)
    refuseAmount(validateApproval(subject, amount, actor.id, isSuperAdmin(actor.groupIds)) ?? validateRoom(amount, invoice))
    const text = joinLines(
      body.reason,
      body.comments,
      amount < suggested_amount && `${formatCents(amount)} of ${formatCents(suggested_amount)}; the rest is rejected.`,
      subject.suggested_by === actor.id && 'Approved by who suggested it, as a super-admin may.',
    )
    const decision = { decision_reason: body.reason, comments: body.comments ?? null, ...decider(actor, now) }
    const [, , [after]] = await Promise.all([
      saveWriteOff(tx, subject, { status: 'APPROVED', approved_amount: amount, ...decision }, now),
      deductionChanged(tx, invoice, now),
      postAndUpdate(
        [invoice],
        movementOf(context, joinLines(`${subject.employee_name}: ${formatCents(amount)}`, text)),
        invoice.organization_id,
        [{ invoice_id: invoice.id, kind: 'WRITE_OFF', amount, line_id, write_off_id: id }],
      ),
    ])
    return toResult(tx, actor, after as InvoiceRow, id, text)
  }),

  decision(reject, async ({ tx, actor, subject, body, now, key, command }) => {
    const { id, invoice } = subject
    const words = { decision_reason: body.reason, comments: body.comments ?? null }
    const [, , , found] = await Promise.all([
      saveWriteOff(tx, subject, { status: 'REJECTED', ...words, ...decider(actor, now) }, now),
      saveInvoice(tx, invoice, {}, now),
      deductionChanged(tx, invoice, now),
      oneInvoice(tx, actor, invoice),
    ])
    const after = found as InvoiceRow
    const text = joinLines(body.reason, body.comments)
    await recordEvent(tx, {
      actor,
      intent: reject.id,
      command: command,
      entity: 'invoice',
      entityId: String(invoice.id),
      status: reject.event,
      text: joinLines(`${subject.employee_name}: ${formatCents(subject.suggested_amount)}`, text),
      before: { pending_write_offs: invoice.pending_write_offs },
      after: { pending_write_offs: after.pending_write_offs },
      version: after.version,
      idempotencyKey: key,
    })
    return toResult(tx, actor, after, id, text)
  }),

  decision(reverse, async (context) => {
    const { tx, actor, subject, body, now } = context
    const { id, invoice, line_id } = subject
    if (body.expected) requireExpected([invoice], body.expected, writeOffProblem)
    const entries = await effectiveEntries(tx, invoice.organization_id, { write_off_id: id })
    const amount = entries.reduce((sum, entry) => sum + entry.amount, 0)
    const [, , [after]] = await Promise.all([
      saveWriteOff(tx, subject, { status: 'REVERSED' }, now),
      deductionChanged(tx, invoice, now),
      postAndUpdate(
        [invoice],
        movementOf(context, joinLines(`${subject.employee_name}: ${formatCents(amount)}`, body.reason)),
        invoice.organization_id,
        entries.map((entry) => reversalOf(entry, { line_id, write_off_id: id })),
      ),
    ])
    return toResult(tx, actor, after as InvoiceRow, id, body.reason)
  }),
]
