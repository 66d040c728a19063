import type { Allocation } from '#domain/allocation.ts'
import { fitShares, validateShareChange } from '#domain/reallocation.ts'
import { validateAllocations, validateRepaymentEdit, validateRepeated, reconciliationOf } from '#domain/repayment.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { debtorKey, refuseRepayment, requireDates, requireSeen } from '#server/money/repayments/add.ts'
import { postShares, postingOf, repostingEntries, returnedInLedger, saveAllocations } from '#server/tables/allocations.ts'
import { type InvoiceRow, lockInvoices } from '#server/tables/invoices.ts'
import { type MoneyMovement, type Versions, moneyMoved, postAndUpdate, effectiveEntries } from '#server/tables/ledger.ts'
import {
  type RepaymentRow,
  isCounted,
  lockSameRepayment,
  oneRepayment,
  referenceOf,
  sameRepayment,
  saveRepayment,
} from '#server/tables/repayments.ts'

type Shares = readonly Allocation<number>[]
const sumOf = (shares: Shares): number => shares.reduce((sum, share) => sum + share.amount, 0)
const shareOf = (shares: Shares, id: number): number => shares.find((share) => share.invoice_id === id)?.amount ?? 0

const lockAll = async (moved: MoneyMovement, actor: Actor, row: RepaymentRow, shares: Shares): Promise<InvoiceRow[]> => {
  const ids = new Set([...row.allocations, ...shares].map((share) => share.invoice_id))
  const rows = await lockInvoices(moved.tx, actor, row.organization_id, [...ids])
  return rows.filter((invoice) => debtorKey(invoice) === debtorKey(row))
}

/** Validates every share that changes; returns the invoices concerned. */
function validateChanges(row: RepaymentRow, shares: Shares, locked: readonly InvoiceRow[], counted: boolean): InvoiceRow[] {
  return locked.filter((invoice) => {
    const change = shareOf(shares, invoice.id) - shareOf(row.allocations, invoice.id)
    if (change === 0) return false
    refuseRepayment(validateShareChange(invoice, counted ? change : 0))
    return true
  })
}

interface NewShares {
  shares: Shares
  touched: readonly InvoiceRow[]
  counted: boolean
  /** Changed columns of the repayment itself. */
  changes: Parameters<typeof saveRepayment>[2] & { unallocated_amount: number }
}

/** Saves new shares of a locked repayment and their ledger entries; returns the repayment afterwards. */
async function moveShares(moved: MoneyMovement, row: RepaymentRow, { shares, touched, counted, changes }: NewShares) {
  const { tx } = moved
  const [returned, standingEntries] = await Promise.all([
    counted ? returnedInLedger(tx, row) : undefined,
    counted ? effectiveEntries(tx, row.organization_id, { repayment_id: row.id }) : [],
    saveAllocations(tx, row, shares),
  ])
  const posting = counted ? postingOf(shares, changes.unallocated_amount, returned) : new Map()
  // Pipelined in one round trip, executed in this order.
  const [after] = await Promise.all([
    saveRepayment(tx, row, changes, moved.now),
    postAndUpdate(
      touched,
      { ...moved, text: referenceOf(row.id) },
      row.organization_id,
      repostingEntries(standingEntries, row.id, 'PAYMENT', posting),
    ),
  ])
  return after
}

/**
 * Locks every invoice whose share may change; refuses shares that are invalid for `amount` cents, and invoices that changed since
 * the person looked.
 */
async function lockValidated(
  moved: MoneyMovement,
  actor: Actor,
  row: RepaymentRow,
  { amount, shares, expected }: { amount: number; shares: Shares; expected: Versions },
): Promise<InvoiceRow[]> {
  const locked = await lockAll(moved, actor, row, shares)
  requireSeen(
    locked.filter((each) => shareOf(shares, each.id) !== shareOf(row.allocations, each.id)),
    expected,
  )
  refuseRepayment(
    validateAllocations(
      amount,
      shares,
      locked.map((each) => ({ ...each, debtor: debtorKey(each) })),
    ),
  )
  return locked
}

/** Replaces the allocation of a locked repayment; `expected` names every invoice whose share changes. */
export async function reallocate(
  moved: MoneyMovement,
  actor: Actor,
  row: RepaymentRow,
  shares: Shares,
  expected: Versions,
): Promise<RepaymentRow> {
  if (row.origin === 'RETURN') return reallocateReturn(moved, actor, row, shares, expected)
  if (row.failure === 'RETURNED')
    throw new Refused(409, 'repayment-returned', 'This repayment came back, so there is nothing to allocate.')
  const amount = row.amount - row.returned_amount
  const locked = await lockValidated(moved, actor, row, { amount, shares, expected })
  const failure = shares.length > 0 ? null : row.failure
  const counted = isCounted({ ...row, failure })
  const unallocated_amount = amount - sumOf(shares)
  const touched = validateChanges(row, shares, locked, counted)
  const reconciliation_status = reconciliationOf({ failed: failure !== null, ach_state: row.ach_state, unallocated_amount })
  const changes = { failure, unallocated_amount, reconciliation_status }
  return moveShares(moved, row, { shares, touched, counted, changes })
}

/** Replaces the allocation of a return: what it takes less from one invoice, it must take from another. */
async function reallocateReturn(
  moved: MoneyMovement,
  actor: Actor,
  row: RepaymentRow,
  shares: Shares,
  expected: Versions,
): Promise<RepaymentRow> {
  const { tx, now } = moved
  const { organization_id } = row
  const source = (await oneRepayment(tx, null, { id: row.returns_id as number, organization_id })) as RepaymentRow
  const locked = await lockValidated(moved, actor, row, { amount: row.amount, shares, expected })
  const remaining = locked.map(({ id }) => ({
    invoice_id: id,
    amount: shareOf(source.allocations, id) + shareOf(shares, id) - shareOf(row.allocations, id),
  }))
  const others = source.allocations.filter((share) => locked.every((each) => each.id !== share.invoice_id))
  const unallocated_amount = row.amount - sumOf(shares)
  const sourceUnallocated = source.unallocated_amount + unallocated_amount - row.unallocated_amount
  if (sourceUnallocated < 0 || remaining.some((share) => share.amount < 0))
    throw new Refused(409, 'return-above-repayment', 'A return cannot take more from an invoice than the repayment gave to it.')
  const touched = validateChanges(row, shares, locked, true)
  await saveAllocations(tx, source, [...others, ...remaining])
  await saveAllocations(tx, row, shares)
  const negated = shares.map((share) => ({ ...share, amount: -share.amount }))
  await postShares(tx, moved.mover, row, 'RETURN', postingOf(negated, unallocated_amount))
  await moneyMoved(touched, { ...moved, text: referenceOf(row.id) })
  const reconciliation_status = reconciliationOf({
    failed: source.failure !== null,
    ach_state: source.ach_state,
    unallocated_amount: sourceUnallocated,
  })
  await saveRepayment(tx, source, { unallocated_amount: sourceUnallocated, reconciliation_status }, now)
  return saveRepayment(tx, row, { unallocated_amount }, now)
}

/** The changes of a repayment by a person; undefined keeps the value. `expected` names the invoices concerned. */
export interface RepaymentChanges {
  amount?: number | undefined
  repayment_date?: string | undefined
  notes?: string | null | undefined
  /** Why it may equal another repayment. */
  reason?: string | undefined
  expected: Versions
}

/**
 * Changes amount, date or notes of a locked repayment (REP-008); a smaller amount is cut from the newest invoices. Refuses a
 * change that makes it equal to another one, unless a reason is given.
 */
export async function editByHand(
  moved: MoneyMovement,
  actor: Actor,
  row: RepaymentRow,
  changes: RepaymentChanges,
): Promise<RepaymentRow> {
  const amount = changes.amount ?? row.amount
  const repayment_date = changes.repayment_date ?? row.repayment_date
  const notes = changes.notes === undefined ? row.notes : changes.notes
  refuseRepayment(validateRepaymentEdit({ ...row, date: row.repayment_date }, { amount, date: repayment_date }))
  if (repayment_date !== row.repayment_date) requireDates({ repayment_date }, await businessDate(moved.tx))
  const edited = { ...row, amount, repayment_date }
  const hasNewAmount = amount !== row.amount
  const isAnother = hasNewAmount || repayment_date !== row.repayment_date
  // In one round trip; a concurrent transaction with the same repayment waits before it locks anything else.
  const [, same, locked] = await Promise.all([
    isAnother ? lockSameRepayment(moved.tx, edited) : null,
    isAnother ? sameRepayment(moved.tx, edited) : null,
    hasNewAmount ? lockAll(moved, actor, row, []) : [],
  ])
  refuseRepayment(validateRepeated(same, changes.reason))
  if (!hasNewAmount) return saveRepayment(moved.tx, row, { repayment_date, notes }, moved.now)
  const dated = row.allocations.map((share) => {
    const { due_date = null, issue_date = null } = locked.find((each) => each.id === share.invoice_id) ?? {}
    return { ...share, due_date, issue_date }
  })
  const shares = fitShares(amount, dated)
  const touched = validateChanges(row, shares, locked, true)
  requireSeen(touched, changes.expected)
  const unallocated_amount = amount - sumOf(shares)
  const reconciliation_status = reconciliationOf({ failed: false, unallocated_amount })
  const changed = { amount, repayment_date, notes, unallocated_amount, reconciliation_status }
  return moveShares(moved, row, { shares, touched, counted: true, changes: changed })
}
