import { type ColumnType, type Generated, type RawBuilder, type Selectable, type Updateable, sql } from 'kysely'
import { Deduction } from '#contract/deductions.ts'
import { type DeductionStatus, canApprove } from '#domain/deduction.ts'
import { canApproveDeduction } from '#domain/invoice.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { openTo } from '#server/access/scope.ts'
import { Refused } from '#server/http-error.ts'
import type { Reader } from '#server/access/actor.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { type InvoiceRow, lockInvoices, numberOf } from '#server/tables/invoices.ts'
import { type Mover, moneyMoved, service } from '#server/tables/ledger.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import { isRow, keyOf, type RowKey, type RowOrId, saveRow } from '#server/tables/rows.ts'

/** The table `deductions`: the withholdings requested from an employer for one invoice. */
export interface DeductionTable extends Stamped {
  organization_id: number
  invoice_id: number
  status: Generated<DeductionStatus>
  file_name: string | null
  /** The mapping columns that the file was delivered with; written as JSON. */
  file_columns: ColumnType<MappingColumn[] | null, string | null | undefined, string | null>
  approved_by: string | null
  approved_by_name: string | null
  approved_at: Date | null
  delivered_at: Date | null
  /** Whether its file is sent to the employer. */
  sent: Generated<boolean>
  fetched_at: Generated<Date | null>
  confirmed_at: Date | null
  confirmations: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    deductions: DeductionTable
  }
}

/** A file as rows of text. */
export interface FileTable {
  head: string[]
  rows: string[][]
}

/** Stores the file of a deduction as delivered. */
export const storeDelivered = async (tx: Tx, { id, organization_id }: RowKey, { head, rows }: FileTable): Promise<void> =>
  void (await sql`insert into deduction_files (organization_id, deduction_id, head, rows)
    values (${organization_id}, ${id}, ${JSON.stringify(head)}::jsonb, ${JSON.stringify(rows)}::jsonb)`.execute(tx))

/** The delivered file of a deduction; null if it was not delivered, or delivered before files were stored. */
export async function deliveredFile(tx: Tx, { id, organization_id }: RowKey): Promise<FileTable | null> {
  return selectOne<FileTable>(tx)`select head, rows from deduction_files
    where deduction_id = ${id} and organization_id = ${organization_id}`
}

/** A deduction with the data that its rules, its file and the API need; cents. */
export interface DeductionRow extends Selectable<DeductionTable> {
  invoice_status: InvoiceRow['status']
  employer_id: number
  employer_name: string
  employer_code: string
  organization_id: number
  organization_name: string
  report_date: string
  due_date: string
  /** The lines minus written-off amounts. */
  amount: number
  /** Number of employees with an amount to withhold. */
  employees: number
  pending_write_offs: number
  confirmation_flow: InvoiceRow['confirmation_flow']
  confirmed_amount: number | null
}

/** A locked deduction with its locked invoice. */
export interface LockedDeduction extends DeductionRow {
  invoice: InvoiceRow
}

/** Reads deductions; `chosen` selects their keys, as columns `id` and `organization_id`, and a sort key, `key`. */
export async function readDeductions(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(DeductionRow & { key: unknown })[]> {
  return selectAll<DeductionRow & { key: unknown }>(tx)`
    select chosen.key, d.id, d.status, d.invoice_id, i.status as invoice_status, i.employer_id,
      employer.internal_name as employer_name, employer.external_code as employer_code,
      organization.id as organization_id, organization.name as organization_name,
      i.report_date, i.due_date, i.original_amount - i.writeoff_amount as amount, line.employees, line.confirmed_amount,
      (select count(*)::int from write_offs w
        where w.organization_id = i.organization_id and w.invoice_id = i.id and w.status = 'PENDING') as pending_write_offs,
      i.confirmation_flow, d.confirmations, d.file_name, d.file_columns, d.approved_by, d.approved_by_name, d.approved_at, d.delivered_at, d.sent, d.fetched_at,
      d.confirmed_at, d.created_at, d.updated_at, d.version
    from (${chosen}) chosen join deductions d on d.id = chosen.id and d.organization_id = chosen.organization_id
    join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
    join employers employer on employer.id = i.employer_id
    join organizations organization on organization.id = employer.organization_id
    cross join lateral (
      select count(*) filter (where original_amount > writeoff_amount)::int as employees,
        sum(withheld_amount)::bigint as confirmed_amount
      from invoice_lines of_invoice where of_invoice.organization_id = i.organization_id and of_invoice.invoice_id = i.id
    ) line
    order by ${order}`
}

/** The amount of a line written off until a time; cents. */
export const writtenOffUntil = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce((select sum(entry.amount)::bigint from ledger_entries entry
    where entry.organization_id = line.organization_id and entry.line_id = line.id and entry.kind = 'WRITE_OFF' and entry.at <= ${time}), 0)`

/** The payment date of the period of an `invoice`; null without a pay group for it. */
export const paymentDate = sql<string | null>`(select period.payment_date from pay_groups own
  join pay_periods period on period.pay_group_id = own.id
  where own.employer_id = invoice.employer_id and own.external_code = invoice.company_code and period.start_date = invoice.period_start)`

type Who = Reader | null
const open = (actor: Who) => (actor ? openTo(actor, sql.ref('i.employer_id')) : sql<boolean>`true`)

/** Deductions `d` with their invoices `i`. */
const withInvoice = sql`deductions d join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id`

/** One deduction, if the person may see it; a null actor is the service itself, which may see all. */
export const oneDeduction = async (tx: Tx, actor: Who, of: RowOrId): Promise<DeductionRow | null> =>
  (
    await readDeductions(
      tx,
      sql`${prepared} select d.id, d.organization_id, null as key from ${withInvoice}
        where ${typeof of === 'number' ? sql`d.id = ${of}` : isRow('d', of)} and ${open(actor)}`,
    )
  )[0] ?? null

/** A deduction locked until the transaction ends, then its invoice; null if it is not open to the person. */
export async function lockDeduction(tx: Tx, actor: Who, of: RowOrId): Promise<LockedDeduction | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'deductions', of) : of
  if (!key) return null
  const { rows } = await sql<{ invoice_id: number }>`
    select d.invoice_id from ${withInvoice} where ${isRow('d', key)} and ${open(actor)} for update of d`.execute(tx)
  if (!rows[0]) return null
  const [invoice] = await lockInvoices(tx, actor, key.organization_id, [rows[0].invoice_id])
  const row = await oneDeduction(tx, actor, key)
  return invoice && row ? { ...row, invoice } : null
}

/** An invoice locked until the transaction ends, after its deduction; null if it is not open to the person. */
export async function lockWithDeduction(tx: Tx, actor: Who, of: RowOrId): Promise<InvoiceRow | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'invoices', of) : of
  if (!key) return null
  const { id, organization_id } = key
  const locking = sql`${prepared} select 1 from ${withInvoice}
    where d.invoice_id = ${id} and d.organization_id = ${organization_id} and ${open(actor)} for update of d`.execute(tx)
  // Pipelined in one round trip, executed in this order.
  const [, [invoice]] = await Promise.all([locking, lockInvoices(tx, actor, organization_id, [id])])
  return invoice ?? null
}

/** Changes a locked deduction and increments its version. */
export async function saveDeduction(tx: Tx, of: RowKey, changes: Updateable<DeductionTable>, now: Date): Promise<void> {
  await saveRow(tx, 'deductions', of, changes, now)
}

/** Increments the version of an invoice's locked deduction after its amounts changed. */
export async function deductionChanged(tx: Tx, invoice: RowKey, now: Date): Promise<void> {
  await sql`update deductions set version = version + 1, updated_at = ${now}
    where invoice_id = ${invoice.id} and organization_id = ${invoice.organization_id}`.execute(tx)
}

/** Stores the amounts that the employer reports as withheld, in cents; returns the lines of the deduction's invoice confirmed so far. */
export async function confirmLines(
  tx: Tx,
  { organization_id, invoice_id }: Pick<DeductionRow, 'organization_id' | 'invoice_id'>,
  confirmations: readonly { line_id: number; withheld_amount: number }[],
): Promise<Set<number>> {
  await sql`update invoice_lines line set withheld_amount = confirmed.amount
    from unnest(${confirmations.map((one) => one.line_id)}::bigint[],
      ${confirmations.map((one) => one.withheld_amount)}::bigint[]) as confirmed(id, amount)
    where line.id = confirmed.id and line.invoice_id = ${invoice_id} and line.organization_id = ${organization_id}`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select id from invoice_lines
    where invoice_id = ${invoice_id} and organization_id = ${organization_id} and withheld_amount is not null`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** The snapshot of a deduction for the history. */
export const deductionSnapshot = (row: DeductionRow): Record<string, unknown> => ({
  status: row.status,
  amount: row.amount,
  file_name: row.file_name,
  confirmations: row.confirmations,
  confirmed_amount: row.confirmed_amount,
})

/** Why a deduction cannot be approved now, for its own state or that of its invoice; null when it can (DED-005, DED-006). */
export const whyNotApproved = (deduction: LockedDeduction) => canApprove(deduction) ?? canApproveDeduction(deduction.invoice)

/**
 * Approves a locked deduction and its invoice, which closes when nothing is outstanding. Throws 409 when a rule refuses. Writes
 * the invoice's history; the deduction's own only for the service, since for a person the intent writes it.
 */
export async function approveDeductionOf(
  tx: Tx,
  mover: Mover,
  deduction: LockedDeduction,
  now: Date,
  said: { key?: string | null; command?: string | null } = {},
): Promise<LockedDeduction> {
  const refusal = whyNotApproved(deduction)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  await saveDeduction(
    tx,
    deduction,
    { status: 'APPROVED', approved_by: mover.id, approved_by_name: mover.name, approved_at: now },
    now,
  )
  const words = { intent: 'deduction.approve', event: 'Deduction approved' }
  const [invoice] = await moneyMoved([deduction.invoice], {
    tx,
    mover,
    ...words,
    ...said,
    now,
    status: () => 'DEDUCTION_APPROVED',
  })
  const row = (await oneDeduction(tx, null, deduction)) as DeductionRow
  const after = { ...row, invoice: invoice as InvoiceRow }
  if (mover.id === service.id)
    await recordEvent(tx, {
      actor: mover,
      intent: words.intent,
      entity: 'deduction',
      entityId: String(after.id),
      status: words.event,
      text: 'Approved automatically.',
      before: deductionSnapshot(deduction),
      after: deductionSnapshot(after),
      version: after.version,
    })
  return after
}

/** A deduction as returned by the API. */
export const toDeduction = (row: DeductionRow): Deduction =>
  answerOf(Deduction, {
    ...row,
    invoice_number: numberOf(row.invoice_id),
    employer: { id: row.employer_id, name: row.employer_name, code: row.employer_code },
    organization: { id: row.organization_id, name: row.organization_name },
    approved_by: row.approved_by === null ? null : { id: row.approved_by, name: row.approved_by_name ?? '' },
  })
