import { invoiceProblem } from '#contract/bank-results.ts'
import { countsOn, dishonorableReturn, isDishonor, isLate, validateBooking } from '#domain/bank-result.ts'
import { noPermission, permissionId } from '#domain/permissions.ts'
import { canReturn } from '#domain/repayment.ts'
import { book } from '#server/money/bank-results/book.ts'
import { existing, Refused } from '#server/http-error.ts'
import { takeReturnBack } from '#server/money/repayments/take-back.ts'
import type { Actor } from '#server/access/actor.ts'
import { type BankResultRow, answeredDebit, saveBankResult } from '#server/tables/bank-results.ts'
import { type InvoiceRow, lockInvoices } from '#server/tables/invoices.ts'
import { type MoneyMovement, type Versions, requireExpected } from '#server/tables/ledger.ts'
import type { RowOrId } from '#server/tables/rows.ts'
import { type RepaymentRow, lockRepayment, oneRepayment, requireWithinAccess } from '#server/tables/repayments.ts'

/** The person who decided a result, the time and the reason, as columns of its row. */
export const decidedBy = (actor: Actor, reason: string, now: Date) => ({
  decided_by: actor.id,
  decided_by_name: actor.name,
  decided_at: now,
  decision_reason: reason,
})

/**
 * Locks the repayment of a result, then its invoices and those of the returns that are reversed; they must be open to the person
 * and unchanged since the person saw them.
 */
async function lockMoney(
  { tx }: MoneyMovement,
  actor: Actor,
  of: RowOrId,
  expected: Versions,
  reversed: readonly number[] = [],
): Promise<{ source: RepaymentRow; invoices: readonly InvoiceRow[] }> {
  const source = existing(await lockRepayment(tx, actor, of))
  requireWithinAccess(source)
  const { organization_id } = source
  const returns = await Promise.all(reversed.map((id) => oneRepayment(tx, null, { id, organization_id })))
  const shares = [source, ...returns].flatMap((each) => each?.allocations ?? [])
  const touched = new Set([...shares, ...(source.debited ? [source.debited] : [])].map((each) => each.invoice_id))
  const invoices = await lockInvoices(tx, actor, organization_id, [...touched])
  requireExpected(invoices, expected, invoiceProblem)
  return { source, invoices }
}

/** The effective date of a result for its repayment when a person books it. */
const dateOf = ({ effective_date, as_of }: BankResultRow, { repayment_date }: RepaymentRow): string =>
  countsOn(effective_date, repayment_date, as_of)

/** Books a locked unmatched result, on its debit or on the repayment that a person names. */
export async function bookByHand(
  moved: MoneyMovement,
  actor: Actor,
  row: BankResultRow,
  input: { reason: string; expected: Versions; repayment_id?: number | undefined },
): Promise<BankResultRow> {
  const refuseNamed = (code: ConstructorParameters<typeof Refused>[1], sentence: string, status = 409) =>
    new Refused(status, code, sentence, { errors: [{ path: 'repayment_id', message: sentence }] })
  const repaymentId = row.repayment_id ?? input.repayment_id
  if (repaymentId === undefined)
    throw refuseNamed('no-debit', 'No debit has this trace number. Name the repayment that it is about.')
  if (input.repayment_id !== undefined && input.repayment_id !== repaymentId)
    throw refuseNamed('no-debit', 'The debit with this trace number is of another repayment.')
  const { organization_id } = row
  const of = row.repayment_id !== null && organization_id !== null ? { id: row.repayment_id, organization_id } : repaymentId
  const before = { ...row, debit: await answeredDebit(moved.tx, of) }
  const dishonored = isDishonor(row.code) ? dishonorableReturn(before) : null
  const { source } = await lockMoney(moved, actor, of, input.expected, dishonored ? [dishonored.id] : [])
  const facts = { ...row, debit: await answeredDebit(moved.tx, source) }
  const refusal = canReturn(source) ?? validateBooking(facts)
  if (refusal) throw refuseNamed(refusal.code, refusal.sentence)
  if (isLate(facts) && !actor.held.has(permissionId('override:return-window')))
    throw refuseNamed('permission-denied', noPermission, 403)
  await book(moved.tx, actor, row, source, moved.now, dateOf(row, source))
  const decided = decidedBy(actor, input.reason, moved.now)
  return saveBankResult(moved.tx, actor, row, { state: 'BOOKED', repayment_id: repaymentId, ...decided }, moved.now)
}

/**
 * Takes back the manual returns that the bank has not confirmed, and books a locked result in their place. An invoice that is
 * collected manually stays so if it owes something in the end.
 */
export async function bookInstead(
  moved: MoneyMovement,
  actor: Actor,
  row: BankResultRow,
  input: { reason: string; expected: Versions },
): Promise<BankResultRow> {
  const of = { id: row.repayment_id as number, organization_id: row.organization_id as number }
  const byHand = row.debit?.returns.filter((each) => each.by_hand).map((each) => each.id) ?? []
  const { source, invoices } = await lockMoney(moved, actor, of, input.expected, byHand)
  for (const id of byHand) await takeReturnBack(moved, { id, organization_id: source.organization_id })
  const collected = invoices.filter(({ status }) => status === 'SENT').map(({ id }) => id)
  await book(moved.tx, actor, row, source, moved.now, dateOf(row, source), collected)
  return saveBankResult(moved.tx, actor, row, { state: 'BOOKED', ...decidedBy(actor, input.reason, moved.now) }, moved.now)
}

/** Dismisses a locked result, so that it is not booked. */
export const dismiss = (moved: MoneyMovement, actor: Actor, row: BankResultRow, reason: string): Promise<BankResultRow> =>
  saveBankResult(moved.tx, actor, row, { state: 'DISMISSED', ...decidedBy(actor, reason, moved.now) }, moved.now)

/** Returns a dismissed result to the unmatched ones. */
export const reopen = (moved: MoneyMovement, actor: Actor, row: BankResultRow): Promise<BankResultRow> =>
  saveBankResult(
    moved.tx,
    actor,
    row,
    { state: 'UNMATCHED', decided_by: null, decided_by_name: null, decided_at: null, decision_reason: null },
    moved.now,
  )
