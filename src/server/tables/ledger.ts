import { type Generated, type RawBuilder, sql } from 'kysely'
import { fittedDebit } from '#domain/ach.ts'
import { afterMoney, mayMove, type MoneyFacts, moneyFactsOf } from '#domain/invoice-life.ts'
import type { EntryKind } from '#domain/ledger.ts'
import { Refused, versionRequired } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { type NewAuditEvent, insertEventStatement } from '#server/tables/audit.ts'
import { resolveFlags } from '#server/tables/debtor-flags.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Later } from '#server/postgres/transaction.ts'
import { type InvoiceRow, invoiceSnapshot, invoicesById, toInvoice } from '#server/tables/invoices.ts'
import { selectAll } from '#server/postgres/select.ts'

/** The kinds of an invoice's entries, and the kind of unallocated money of a repayment. */
export type LedgerKind = EntryKind | 'UNALLOCATED'

/** The table `ledger_entries`, which is append-only; the amounts of an invoice are the sums of its entries. */
export interface LedgerEntryTable {
  organization_id: number
  id: Generated<number>
  /** Null for unallocated money. */
  invoice_id: number | null
  kind: LedgerKind
  /** Cents; positive raises the total of its kind, a reversal is negative. */
  amount: number
  line_id: number | null
  repayment_id: number | null
  write_off_id: number | null
  credit_id: number | null
  counter_invoice_id: number | null
  reverses: number | null
  actor_id: string
  actor_name: string
  on_date: Generated<string>
  at: Generated<Date>
}

declare module '#server/tables/database.ts' {
  interface Database {
    ledger_entries: LedgerEntryTable
  }
}

/** The author of a movement of money: a person, or the service itself. */
export interface Mover {
  id: string
  name: string
}
export const service: Mover = { id: 'service', name: 'System' }

export interface NewEntry {
  invoice_id: number | null
  kind: LedgerKind
  amount: number
  line_id?: number
  repayment_id?: number
  write_off_id?: number
  credit_id?: number
  counter_invoice_id?: number
  reverses?: number
}

/**
 * Adds entries of locked invoices, or of unallocated money, of an organization, and adds them up in its invoices and their lines;
 * the database has a function for both, so that the totals follow from the entries alone. `repaymentId` stands for that of
 * every entry.
 */
export async function post(
  tx: Tx,
  mover: Mover,
  organization: number,
  entries: readonly NewEntry[],
  repaymentId?: RawBuilder<number>,
): Promise<void> {
  const real = entries.filter((entry) => entry.amount !== 0)
  if (real.length === 0) return
  const column = (name: Exclude<keyof NewEntry, 'kind'>) => {
    const values = real.map((entry) => entry[name] ?? null)
    return values.some((value) => value !== null) ? sql`${values}::bigint[]` : sql`null`
  }
  const repaymentIds = repaymentId && sql`array_fill(${repaymentId}, array[${real.length}::int])`
  await sql`${prepared}
    select add_ledger_entries(${organization}::bigint, ${mover.id}, ${mover.name}, business_date(), ${column('invoice_id')},
      ${real.map((entry) => entry.kind)}::text[], ${column('amount')}, ${column('line_id')},
      ${repaymentIds ?? column('repayment_id')}, ${column('write_off_id')}, ${column('credit_id')},
      ${column('counter_invoice_id')}, ${column('reverses')})`.execute(tx)
}

export type EffectiveEntry = Pick<LedgerEntryTable, 'invoice_id' | 'kind' | 'amount' | 'counter_invoice_id'> & { id: number }

/** Entries of a repayment, write-off or credit of an organization that are not reversed. */
export async function effectiveEntries(
  tx: Tx,
  organizationId: number,
  by: { repayment_id: number } | { write_off_id: number } | { credit_id: number },
): Promise<EffectiveEntry[]> {
  const [[column, value]] = Object.entries(by) as [[string, number]]
  return selectAll<EffectiveEntry>(tx)`${prepared}
    select e.id, e.invoice_id, e.kind, e.amount, e.counter_invoice_id from ledger_entries e
    where e.organization_id = ${organizationId} and ${sql.ref(`e.${column}`)} = ${value} and e.reverses is null
      and not exists (select from ledger_entries back where back.reverses = e.id and back.organization_id = e.organization_id) order by e.id`
}

/** The reversal of an entry: the same kind, the negative amount. */
export const reversalOf = (entry: EffectiveEntry, more: Partial<NewEntry> = {}): NewEntry => ({
  invoice_id: entry.invoice_id,
  kind: entry.kind,
  amount: -entry.amount,
  counter_invoice_id: entry.counter_invoice_id ?? undefined,
  reverses: entry.id,
  ...more,
})

export interface MoneyMovement {
  tx: Tx
  mover: Mover
  /** The intent, and the wording of the history for the invoices it changed. */
  intent: string
  event: string
  command?: string | null
  key?: string | null
  text?: string | null
  now: Date
  /** Queues statements whose result nobody needs; without it everything is awaited. */
  later?: Later
  /** The invoice whose event the caller writes itself. */
  own?: number
  /** The status that the command itself sets, before `afterMoney` is applied. */
  status?: (invoice: InvoiceRow) => InvoiceRow['status']
  /** Facts about the debits of an invoice that its row does not show. */
  facts?: (invoice: InvoiceRow) => Partial<MoneyFacts>
}

/**
 * Call once after money of locked invoices of one organization has moved: sets each to the status from `afterMoney`, shrinks or cancels a scheduled
 * debit, increments versions, and writes each history (docs/rules/money.md and invoices.md). `before` are the locked rows,
 * `found` the current ones if the caller has read them; returns the invoices afterwards. Throws for a status transition that is
 * not allowed.
 */
export async function moneyMoved(
  before: readonly InvoiceRow[],
  moved: MoneyMovement,
  found?: readonly InvoiceRow[],
): Promise<InvoiceRow[]> {
  const { tx, now } = moved
  const current = () =>
    invoicesById(
      tx,
      null,
      before[0]?.organization_id ?? 0,
      before.map((row) => row.id),
    )
  const validated = found ?? (await current())
  const changed = validated.map((row) => changedTo(row, statusAfter(row, moved), now))
  const issued: Promise<unknown>[] = []
  const issue = (first: RawBuilder<unknown>, then?: RawBuilder<unknown>): unknown => {
    const statement = then ? sql`${prepared} with first as (${first}) ${then}` : sql`${prepared} ${first}`
    return moved.later ? moved.later(statement.compile(tx)) : issued.push(statement.execute(tx))
  }
  const history = (row: InvoiceRow) => (row.id === moved.own ? undefined : insertEventStatement(eventOf(row, before, moved)))
  // Further changes: a debit that was not submitted yet, and the flags of the debtor.
  const more = validated.flatMap((row) => [
    ...(row.ach?.state === 'SCHEDULED' ? [fitDebit(tx, row)] : []),
    ...(row.debtor_flagged && row.outstanding_amount <= 0 ? [resolveFlags(tx, 'invoice', row, now)] : []),
  ])
  let after = changed
  if (more.length === 0) for (const row of changed) issue(invoiceChanged(row), history(row))
  else {
    for (const row of changed) issue(invoiceChanged(row))
    after = (await Promise.all([current(), ...more]))[0]
    for (const event of after.map(history)) if (event) issue(event)
  }
  await Promise.all(issued)
  return after
}

/** Adds entries of locked invoices of an organization and updates the invoices (`moneyMoved`) in one round trip. */
export async function postAndUpdate(
  before: readonly InvoiceRow[],
  moved: MoneyMovement,
  organization: number,
  entries: readonly NewEntry[],
): Promise<InvoiceRow[]> {
  const [, after] = await Promise.all([post(moved.tx, moved.mover, organization, entries), moneyMoved(before, moved)])
  return after
}

/** An invoice after a change of status, with its version incremented. */
function changedTo(row: InvoiceRow, status: InvoiceRow['status'], now: Date): InvoiceRow {
  const isSettled = settled.includes(status)
  return {
    ...row,
    status,
    updated_at: now,
    version: row.version + 1,
    closed_at: isSettled ? (row.closed_at ?? now) : null,
    closed_by: isSettled ? row.closed_by : null,
    closed_by_name: isSettled ? row.closed_by_name : null,
  }
}

const invoiceChanged = (row: InvoiceRow): RawBuilder<unknown> => sql`
  update invoices set status = ${row.status}, updated_at = ${row.updated_at}, version = ${row.version}, closed_at = ${row.closed_at},
    closed_by = ${row.closed_by}, closed_by_name = ${row.closed_by_name}
  where id = ${row.id} and organization_id = ${row.organization_id}`

/** The status of an invoice after its money moved; throws for a transition that is not allowed. */
function statusAfter(row: InvoiceRow, moved: MoneyMovement): InvoiceRow['status'] {
  const set = moved.status?.(row) ?? row.status
  const status = afterMoney({ ...moneyFactsOf({ ...row, status: set }), ...moved.facts?.(row) })
  requireMove(row, row.status, set)
  requireMove(row, set, status)
  return status
}

const eventOf = (row: InvoiceRow, before: readonly InvoiceRow[], moved: MoneyMovement): NewAuditEvent => ({
  actor: moved.mover,
  intent: moved.intent,
  command: moved.command ?? null,
  entity: 'invoice',
  entityId: String(row.id),
  status: moved.event,
  text: moved.text ?? null,
  before: invoiceSnapshot(before.find((one) => one.id === row.id) as InvoiceRow),
  after: invoiceSnapshot(row),
  version: row.version,
  idempotencyKey: moved.key ?? null,
})

/** The statuses that store when, and by whom, an invoice was closed. */
const settled: readonly string[] = ['CLOSED', 'REFUND_IN_PROGRESS', 'REFUNDED']

function requireMove(invoice: InvoiceRow, from: string, to: string): void {
  if (from !== to && !mayMove(from, to)) throw new Error(`INV-${invoice.id} may not go from ${from} to ${to}.`)
}

/** Fits a debit that is not submitted yet to the amount owed and not in flight; cancels it when there is none. */
async function fitDebit(tx: Tx, invoice: InvoiceRow): Promise<void> {
  const amount = fittedDebit(invoice)
  const changes = amount === null ? sql`state = 'CANCELLED'` : sql`amount = ${amount}`
  await sql`${prepared} update ach_debits set ${changes}, updated_at = now()
    where invoice_id = ${invoice.id} and organization_id = ${invoice.organization_id} and state = 'SCHEDULED'`.execute(tx)
}

/** The versions of invoices that a person saw, by id. */
export type Versions = Readonly<Record<string, number>>

/**
 * 409 unless every version that the person saw is the current one; the answer has the current invoices. An affected invoice that
 * the person did not see is refused, too, so that nothing moves without a preview: with 428 if the request itself names it
 * (`named`, all by default), else with 409, since it may have been added in the meantime.
 */
export function requireExpected(
  rows: readonly InvoiceRow[],
  expected: Versions,
  sentence: string,
  named: readonly number[] = rows.map((row) => row.id),
): void {
  if (rows.every((row) => expected[row.id] === row.version)) return
  if (rows.some((row) => expected[row.id] === undefined && named.includes(row.id)))
    throw versionRequired('expected', { facts: rows.map(toInvoice) })
  throw new Refused(409, 'stale-version', sentence, { facts: rows.map(toInvoice) })
}
