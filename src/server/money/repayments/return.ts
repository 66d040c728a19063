import { sql } from 'kysely'
import { statusChanged } from '#contract/invoice-changes.ts'
import { type Allocation, shareReturn } from '#domain/allocation.ts'
import { factsAfterReturn, type OtherDebits } from '#domain/invoice-life.ts'
import { canReturn, validateReturn, type Reconciliation, reconciliationOf, type ReturnFacts } from '#domain/repayment.ts'
import { refundAfterReturn } from '#server/money/credits/refund.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { entriesOf, postingOf, saveAllocations } from '#server/tables/allocations.ts'
import { type NewAuditEvent, recordEvent } from '#server/tables/audit.ts'
import { saidByBank, saveDebit } from '#server/tables/debits.ts'
import { flagDebtor } from '#server/tables/debtor-flags.ts'
import { type InvoiceRow, invoicesById, lockInvoices } from '#server/tables/invoices.ts'
import { type MoneyMovement, type Mover, type Versions, moneyMoved, requireExpected, service } from '#server/tables/ledger.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { insertWithShares } from '#server/tables/new-repayment.ts'
import {
  type RepaymentRow,
  isCounted,
  lockRepayment,
  referenceOf,
  repaymentSnapshot,
  saveRepayment,
} from '#server/tables/repayments.ts'
import { selectAll } from '#server/postgres/select.ts'

/** Money of a repayment that came back; cents, and the date of the return. */
export interface ReturnedMoney {
  return_code: string
  amount: number
  addenda: string | null
  on: string
  /** The bank result of the return; missing if a person recorded it. */
  bank_result_id?: number
  /** The dishonored return that this one contests. */
  contests_id?: number
  /** Invoices that stay collected manually while they owe something, though the returns before this one were taken back. */
  collected?: readonly number[]
}

const intent = { intent: 'repayment.return', event: 'Returned' }

/** The returns in effect of a repayment, in the form compared with a return recorded by hand. */
export async function effectiveReturns(tx: Tx, repayment: RowKey): Promise<ReturnFacts[]> {
  return selectAll<ReturnFacts>(tx)`
    select return_code, amount, ach_addenda, not ${saidByBank('back')} as by_hand
    from repayments back
    where organization_id = ${repayment.organization_id} and returns_id = ${repayment.id} and failure is null`
}

/**
 * Records that the bank confirmed a return recorded by hand; the returned repayment is locked. The hold that kept its invoice
 * from being debited again is released, so the debited invoice is re-evaluated (docs/decisions/2026-11-30-bank-results.md).
 */
export async function confirmReturn(
  tx: Tx,
  mover: Mover,
  of: RowKey,
  confirmation: { bank_result_id: number; addenda: string },
  now: Date,
): Promise<void> {
  const before = (await lockRepayment(tx, null, of)) as RepaymentRow
  const { bank_result_id, addenda } = confirmation
  const after = await saveRepayment(tx, before, { bank_result_id, ach_addenda: before.ach_addenda ?? (addenda || null) }, now)
  const event = 'Confirmed by the bank'
  await record(tx, mover, before, after, event)
  const { returns_id, organization_id } = before
  const source = returns_id === null ? null : await lockRepayment(tx, null, { id: returns_id, organization_id })
  const debited = source?.debited ? await lockInvoices(tx, null, organization_id, [source.debited.invoice_id]) : []
  await moneyMoved(debited, { tx, mover, now, intent: intent.intent, event, text: referenceOf(before.id) })
}

/**
 * Books a return reported by the bank: locks the repayment, spreads the return over its allocations, and writes the histories.
 */
export async function returnRepayment(tx: Tx, mover: Mover, of: RowKey, money: ReturnedMoney, now: Date): Promise<RepaymentRow> {
  const before = (await lockRepayment(tx, null, of)) as RepaymentRow
  const status = ({ id, status: is, outstanding_amount }: InvoiceRow) =>
    money.collected?.includes(id) && outstanding_amount > 0 ? 'SENT' : is
  const after = await takeReturn({ tx, mover, now, ...intent, status }, before, money)
  await record(tx, mover, before, after, intent.event)
  return after
}

const record = (tx: Tx, mover: Mover, before: RepaymentRow, after: RepaymentRow, status: string) =>
  recordEvent(tx, {
    actor: mover,
    intent: intent.intent,
    entity: 'repayment',
    entityId: String(after.id),
    status,
    text: after.return_code,
    before: repaymentSnapshot(before),
    after: repaymentSnapshot(after),
    version: after.version,
  })

/**
 * Spreads a return over a locked repayment, and re-evaluates every invoice concerned; the caller writes the repayment's event.
 * `expected` are the versions that a person saw of them: 428 if missing, 409 `stale-version` if one changed.
 */
export async function takeReturn(
  moved: MoneyMovement,
  source: RepaymentRow,
  money: ReturnedMoney,
  expected?: Versions,
): Promise<RepaymentRow> {
  const { tx, now } = moved
  const refusal = canReturn(source) ?? validateReturn(source, money.amount)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  const counted = isCounted(source)
  const parts = shareReturn(money.amount, source.allocations, source.unallocated_amount)
  const back = parts.allocations.filter((share) => share.amount > 0)
  const ids = new Set([...back, ...(source.debited ? [source.debited] : [])].map((each) => each.invoice_id))
  const { organization_id } = source
  const locked = await lockInvoices(tx, null, organization_id, [...ids])
  if (expected) requireExpected(locked, expected, statusChanged('return')())

  const whole = source.returned_amount + money.amount === source.amount
  const failure = whole ? 'RETURNED' : source.failure
  const unallocated_amount = source.unallocated_amount - parts.unallocated_amount
  const status = reconciliationOf({ failed: failure !== null, ach_state: source.ach_state, unallocated_amount })
  const made = await insertReturn(moved, source, money, { back, unallocated: -parts.unallocated_amount, counted, status })
  // Pipelined in one round trip, executed in this order.
  const [, , after, , found, others] = await Promise.all([
    recordEvent(tx, returnMade(moved, source, made)),
    saveAllocations(
      tx,
      source,
      source.allocations.map((share, at) => ({ ...share, amount: share.amount - (parts.allocations[at]?.amount ?? 0) })),
    ),
    saveRepayment(
      tx,
      source,
      {
        unallocated_amount,
        failure,
        return_code: money.return_code,
        reconciliation_status: status,
      },
      now,
    ),
    saveDebit(tx, source),
    invoicesById(tx, null, organization_id, [...ids]),
    otherDebits(tx, [...ids], source),
  ])
  const text = `${referenceOf(source.id)}: ${money.return_code}`
  await settleStatuses(moved, locked, { source, money, counted, whole, text, found, others })
  return after
}

interface ReturnAllocation {
  /** The amount taken out of each invoice; positive cents. */
  back: readonly Allocation<number>[]
  /** Part taken out of the unallocated amount; not positive. */
  unallocated: number
  counted: boolean
  /** The reconciliation status of both the returned repayment and the return. */
  status: Reconciliation
}

function insertReturn(
  moved: MoneyMovement,
  source: RepaymentRow,
  money: ReturnedMoney,
  allocation: ReturnAllocation,
): Promise<RepaymentRow> {
  const { tx, mover } = moved
  const byService = mover.id === service.id
  return insertWithShares(tx, mover, {
    row: {
      debtor_type: source.debtor_type,
      debtor_id: source.debtor_id,
      amount: -money.amount,
      unallocated_amount: allocation.unallocated === 0 ? 0 : allocation.unallocated,
      repayment_date: money.on,
      effective_date: money.on,
      origin: 'RETURN',
      reconciliation_status: allocation.status,
      return_code: money.return_code,
      returns_id: source.id,
      bank_result_id: money.bank_result_id ?? null,
      contests_id: money.contests_id ?? null,
      requester_id: byService ? null : mover.id,
      requester_name: byService ? null : mover.name,
      ach_addenda: money.addenda,
      descriptor: source.descriptor,
      bank_name: source.bank_name,
      account_number: source.account_number,
      department_code: source.department_code,
    },
    debtor: source,
    shares: allocation.back.map((share) => ({ ...share, amount: -share.amount })),
    entries: allocation.counted ? entriesOf('RETURN', postingOf(allocation.back, allocation.unallocated)) : [],
  })
}

const returnMade = (moved: MoneyMovement, source: RepaymentRow, made: RepaymentRow): NewAuditEvent => ({
  actor: moved.mover,
  intent: moved.intent,
  command: moved.command ?? null,
  entity: 'repayment',
  entityId: String(made.id),
  status: moved.event,
  text: referenceOf(source.id),
  before: null,
  after: repaymentSnapshot(made),
  version: made.version,
  idempotencyKey: moved.key ?? null,
})

interface BookedReturn {
  /** The repayment before the return. */
  source: RepaymentRow
  money: ReturnedMoney
  counted: boolean
  text: string
  /** The invoices after the return is booked. */
  found: readonly InvoiceRow[]
  /** Whether all of `source` is back. */
  whole: boolean
  others: Awaited<ReturnType<typeof otherDebits>>
}

/** Updates the status of each invoice, shrinks a waiting refund, and flags the debtor where credit was already used. */
async function settleStatuses(moved: MoneyMovement, locked: readonly InvoiceRow[], back: BookedReturn): Promise<void> {
  const { source, money, whole } = back
  const debited_invoice_id = source.debited?.invoice_id ?? null
  const waiting = back.found.filter((row) => row.refund?.state === 'WAITING')
  for (const row of waiting) await refundAfterReturn(moved, row)
  const after = await moneyMoved(
    locked,
    {
      ...moved,
      text: back.text,
      facts: ({ id }) =>
        factsAfterReturn(
          id,
          {
            origin: source.origin,
            debited_invoice_id,
            first: source.returned_amount === 0 && !money.collected?.includes(id),
            whole,
          },
          back.others.get(id) ?? { stand: false, underWay: false },
        ),
    },
    waiting.length > 0 ? undefined : back.found,
  )
  const used = after.filter((row) => back.counted && row.outstanding_amount > 0 && row.rollover_out_amount > 0)
  await Promise.all(used.map((row) => flagDebtor(moved.tx, row)))
}

/** The debits of each invoice other than that of `source`. */
async function otherDebits(tx: Tx, ids: readonly number[], source: RepaymentRow): Promise<Map<number, OtherDebits>> {
  const { rows } = await sql<OtherDebits & { id: number }>`
    select i.id, count(other.id) > 0 as stand, coalesce(bool_or(other.ach_state = 'PENDING'), false) as "underWay"
    from unnest(${[...ids]}::bigint[]) as i(id)
    left join ach_debits debit on debit.organization_id = ${source.organization_id} and debit.invoice_id = i.id
    left join repayments other on other.organization_id = debit.organization_id and other.id = debit.repayment_id and other.failure is null and other.id <> ${source.id}
    group by i.id`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
