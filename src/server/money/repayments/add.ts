import { type OpenDebtor, openDebtor } from '#server/access/scope.ts'
import { closedMeanwhile } from '#contract/invoice-changes.ts'
import { type Allocation, allocate } from '#domain/allocation.ts'
import { invoiceStatuses, takesByItself } from '#domain/invoice.ts'
import { validatePaidOn } from '#domain/money-dates.ts'
import type { Refusal } from '#domain/refusal.ts'
import { validateNewRepayment, validateRepeated, type RecordedRepayment, reconciliationOf } from '#domain/repayment.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { existing, invalid, Refused, notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { keyOf } from '#server/tables/rows.ts'
import { entriesOf, openInvoicesOf, postingOf } from '#server/tables/allocations.ts'
import { type InvoiceRow, lockInvoices, toInvoice, withTotals } from '#server/tables/invoices.ts'
import { type MoneyMovement, type Versions, moneyMoved, requireExpected } from '#server/tables/ledger.ts'
import { insertWithShares } from '#server/tables/new-repayment.ts'
import {
  lockSameRepayment,
  type RepaymentRow,
  type RepaymentTable,
  referenceOf,
  sameRepayment,
} from '#server/tables/repayments.ts'

/** A repayment that a person enters; cents. */
export interface NewRepayment
  extends Pick<RepaymentTable, 'debtor_type' | 'debtor_id' | 'amount' | 'repayment_date'>,
    Partial<
      Pick<
        RepaymentTable,
        'effective_date' | 'department_code' | 'descriptor' | 'bank_name' | 'account_number' | 'notes' | 'requester_id'
      >
    > {
  /** When missing, the money goes to the oldest due invoices. */
  allocations?: readonly Allocation<number>[] | undefined
  expected: Versions
  /** Why the same repayment is added again. */
  reason?: string | undefined
}

const asksForMore = new Set(['amount-required', 'amount-invalid', 'date-required'])
const fieldOf = (code: string): string =>
  code === 'date-required'
    ? 'repayment_date'
    : code === 'repayment-repeated'
      ? 'reason'
      : code.startsWith('allocation')
        ? 'allocations'
        : 'amount'

/** Throws a refusal: 422 for a missing value, else 409; both name the field. */
export function refuseRepayment(refusal: Refusal | null): void {
  if (!refusal) return
  const errors = [{ path: fieldOf(refusal.code), message: refusal.sentence }]
  throw asksForMore.has(refusal.code) ? invalid(errors) : new Refused(409, refusal.code, refusal.sentence, { errors })
}

/**
 * 409 `stale-version` with current facts unless the invoices are as the person saw them (`requireExpected`); the message mentions
 * a closed invoice.
 */
export function requireSeen(rows: readonly InvoiceRow[], expected: Versions, named?: readonly number[]): void {
  const stale = rows.filter((row) => expected[row.id] !== row.version)
  const shown = stale.find((row) => row.status === 'CLOSED' && row.id in expected) ?? { status: 'OPEN' }
  requireExpected(rows, expected, closedMeanwhile('repayment')(shown), named)
}

/** 422 for a date on which no repayment can have been made or taken effect. */
export function requireDates(
  dates: Partial<Record<'repayment_date' | 'effective_date', string | null | undefined>>,
  today: string,
): void {
  for (const path of ['repayment_date', 'effective_date'] as const) {
    const wrong = dates[path] ? validatePaidOn(dates[path], today) : null
    if (wrong) throw invalid([{ path, message: wrong.sentence }])
  }
}

/** Key that groups invoices by debtor. */
export const debtorKey = (row: { debtor_type: string; debtor_id: number }): string => `${row.debtor_type} ${row.debtor_id}`

const takers = invoiceStatuses.values.filter(takesByItself)

/** The data a new repayment depends on. Refusals are kept as results: `addByHand` decides which one counts. */
export interface RepaymentBasis {
  debtor: PromiseSettledResult<OpenDebtor | null>
  invoices: PromiseSettledResult<Awaited<ReturnType<typeof lockFor>>>
  /** The first repayment with the same identity; null if there is none. */
  recorded: PromiseSettledResult<RecordedRepayment | null>
}

/**
 * Reads everything a new repayment depends on in one round trip; invoices stay locked until the transaction ends. A concurrent
 * request for the same repayment waits before it locks anything else, so that the two cannot miss each other. The organization of
 * an employer is looked up unless it is given.
 */
export async function readBasis(tx: Tx, actor: Actor, input: NewRepayment, organizationId?: number): Promise<RepaymentBasis> {
  const { debtor_type, debtor_id } = input
  const organization_id =
    debtor_type === 'ORGANIZATION'
      ? debtor_id
      : (organizationId ?? existing(await keyOf(tx, 'employers', debtor_id)).organization_id)
  const of = { ...input, organization_id }
  const [locked, debtor, invoices, recorded] = await Promise.allSettled([
    lockSameRepayment(tx, input),
    openDebtor(tx, actor, debtor_type, debtor_id),
    lockFor(tx, actor, of),
    sameRepayment(tx, of),
  ])
  for (const result of [locked, debtor, invoices, recorded])
    if (result.status === 'rejected' && !(result.reason instanceof Refused)) throw result.reason
  return { debtor, invoices, recorded }
}

const outcomeOf = <T>(result: PromiseSettledResult<T>): T => {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Adds a repayment that a person entered, and allocates it (REP-006 to REP-010); it counts immediately. */
export async function addByHand(
  moved: MoneyMovement,
  actor: Actor,
  input: NewRepayment,
  basis: RepaymentBasis,
): Promise<RepaymentRow> {
  const { tx } = moved
  const debtor = outcomeOf(basis.debtor)
  if (!debtor) throw notFound()
  const known = basis.invoices.status === 'fulfilled' ? basis.invoices.value.locked[0]?.as_of : undefined
  requireDates(input, known ?? (await businessDate(tx)))
  const { shares, locked, touched } = outcomeOf(basis.invoices)
  const validated = locked.map((row) => ({ ...row, debtor: debtorKey(row) }))
  refuseRepayment(validateNewRepayment({ amount: input.amount, date: input.repayment_date, allocations: shares }, validated))
  refuseRepayment(validateRepeated(outcomeOf(basis.recorded), input.reason))
  const { allocations, expected, reason, ...row } = input
  const unallocated_amount = input.amount - shares.reduce((sum, share) => sum + share.amount, 0)
  // Pipelined in one round trip, executed in this order.
  const [made, standing] = await Promise.all([
    insertWithShares(tx, moved.mover, {
      row: {
        ...row,
        origin: 'USER',
        requester_id: actor.id,
        requester_name: actor.name,
        unallocated_amount,
        reconciliation_status: reconciliationOf({ failed: false, unallocated_amount }),
      },
      debtor,
      shares,
      entries: entriesOf('PAYMENT', postingOf(shares, unallocated_amount)),
    }),
    withTotals(tx, touched),
  ])
  await moneyMoved(touched, { ...moved, text: referenceOf(made.id) }, standing)
  return made
}

/** Locks the invoices that a repayment goes to, and those that the person looked at; both must be unchanged. */
async function lockFor(
  tx: Tx,
  actor: Actor,
  input: NewRepayment & { organization_id: number },
): Promise<{ shares: readonly Allocation<number>[]; locked: InvoiceRow[]; touched: InvoiceRow[] }> {
  const { allocations, amount, expected } = input
  const byItself = () => openInvoicesOf(tx, input, takers, amount)
  const invoiceIds = allocations?.map((share) => share.invoice_id) ?? (await byItself())
  const rows = await lockInvoices(tx, actor, input.organization_id, [
    ...new Set([...invoiceIds, ...Object.keys(expected).map(Number)]),
  ])
  const locked = rows.filter((row) => debtorKey(row) === debtorKey(input))
  const shares =
    allocations ??
    allocate(
      amount,
      locked.filter((row) => invoiceIds.includes(row.id)),
    ).allocations
  const touched = locked.filter((row) => shares.some((share) => share.invoice_id === row.id))
  requireSeen(
    locked.filter((row) => row.id in expected || touched.includes(row)),
    expected,
    // The automatic allocation may have changed since the person looked.
    allocations?.map((share) => share.invoice_id) ?? [],
  )
  // During the wait for the locks, other invoices may have become open or older, which the person has not seen either.
  if (!allocations && (await byItself()).join() !== invoiceIds.join())
    throw new Refused(409, 'stale-version', closedMeanwhile('repayment')({ status: 'OPEN' }), { facts: locked.map(toInvoice) })
  return { shares, locked, touched }
}
