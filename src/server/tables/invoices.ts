import { type Generated, type GeneratedAlways, type RawBuilder, type Selectable, sql } from 'kysely'
import { Invoice } from '#contract/invoices.ts'
import { debitDateOf } from '#domain/ach.ts'
import { daysPastDue, derivedStatesOf, type InvoiceStatus } from '#domain/invoice.ts'
import { waysTo } from '#domain/invoice-life.ts'
import { debtorOpenTo, openTo } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { debits } from '#server/tables/debit-accounts.ts'
import { inFlightOf, unansweredOf } from '#server/tables/debits.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { isRow, keyOf, type RowKey, type RowOrId } from '#server/tables/rows.ts'

/** The table `invoices`; amounts in cents. Amounts are derived from the ledger by the database, never written here. */
export interface InvoiceTable extends Stamped {
  organization_id: number
  employer_id: number
  debtor_type: 'EMPLOYER' | 'ORGANIZATION'
  debtor_id: number
  status: InvoiceStatus
  company_code: string
  department_code: string | null
  payment_method: 'AUTO_ACH' | 'SELF_PAY'
  confirmation_flow: Generated<'NONE' | 'SINGLE' | 'MULTIPLE'>
  auto_approve_ewa_file: Generated<boolean>
  period_start: string
  period_end: string
  issue_date: string
  report_date: string
  due_date: string
  original_amount: Generated<number>
  writeoff_amount: Generated<number>
  rollover_amount: Generated<number>
  rollover_out_amount: Generated<number>
  paid_amount: Generated<number>
  invoice_amount: GeneratedAlways<number>
  outstanding_amount: GeneratedAlways<number>
  has_notes: Generated<boolean>
  closed_at: Date | null
  /** The person who closed it by hand; null if it closed automatically. */
  closed_by: Generated<string | null>
  closed_by_name: Generated<string | null>
}

declare module '#server/tables/database.ts' {
  interface Database {
    invoices: InvoiceTable
  }
}

/** An invoice with the data that its rules and the API need. */
export interface InvoiceRow extends Selectable<InvoiceTable> {
  employer_name: string
  employer_code: string
  employer_status: string
  organization_id: number
  organization_name: string
  debtor_flagged: boolean
  /** Whether the debtor itself is open to the person: facts about it are shown only then. */
  debtor_open: boolean
  deduction_id: number | null
  deduction_status: string | null
  pending_write_offs: number
  in_flight_amount: number
  unanswered_amount: number
  active_account_count: number
  allowed_rollover_percentage: number | null
  ach_processing_days: number
  rolled_over_amount: number
  credit_used: boolean
  ach: Invoice['ach']
  refund: Invoice['refund']
  /** The business date. */
  as_of: string
}

type Reader = Pick<Actor, 'id' | 'kind'> | null

/** The columns of an invoice row over invoices `i`; for statements that select the rows themselves. */
const columnsFor = (actor: Reader) => sql`
  i.id, i.employer_id, i.debtor_type, i.debtor_id, i.status, i.company_code, i.department_code, i.payment_method,
  i.confirmation_flow, i.auto_approve_ewa_file, i.period_start, i.period_end, i.issue_date, i.report_date, i.due_date,
  i.original_amount, i.writeoff_amount, i.rollover_amount, i.rollover_out_amount, i.paid_amount, i.invoice_amount,
  i.outstanding_amount, i.has_notes, i.closed_at, i.closed_by, i.closed_by_name, i.created_at, i.updated_at, i.version,
  employer.internal_name as employer_name, employer.external_code as employer_code, employer.status as employer_status,
  organization.id as organization_id, organization.name as organization_name,
  exists (select from debtor_flags flag where flag.organization_id = i.organization_id and flag.debtor_type = i.debtor_type and flag.debtor_id = i.debtor_id
    and flag.resolved_at is null) as debtor_flagged,
  ${debtorOpenTo(actor, 'i')} as debtor_open,
  deduction.id as deduction_id, deduction.status as deduction_status,
  (select count(*)::int from write_offs w where w.organization_id = i.organization_id and w.invoice_id = i.id and w.status = 'PENDING') as pending_write_offs,
  ${inFlightOf('i')} as in_flight_amount,
  ${unansweredOf('i')} as unanswered_amount,
  (select count(*)::int from billing_accounts account where ${debits('i', sql`organization.id`)}) as active_account_count,
  coalesce(
    (select allowed_rollover_percentage from deduction_configurations where employer_id = i.employer_id),
    (select allowed_rollover_percentage from deduction_configurations where organization_id = organization.id)
  ) as allowed_rollover_percentage,
  coalesce((select terms.ach_processing_days from lms_configurations terms
    where terms.employer_id = i.employer_id or terms.organization_id = organization.id
    order by terms.employer_id nulls last limit 1), 0) as ach_processing_days,
  coalesce((select sum(credit.amount) from credits credit
    where credit.organization_id = i.organization_id and credit.invoice_id = i.id and credit.kind = 'ROLLOVER'), 0)::bigint
    as rolled_over_amount,
  coalesce((select true from credits credit
      join ledger_entries entry on entry.organization_id = credit.organization_id and entry.credit_id = credit.id
        and entry.kind = 'ROLLOVER_IN'
      join invoices taker on taker.id = entry.invoice_id and taker.organization_id = entry.organization_id
    where credit.organization_id = i.organization_id and credit.invoice_id = i.id and credit.state <> 'CANCELLED' and taker.status <> 'DRAFT' limit 1), false) as credit_used,
  (select json_build_object('state', last.state, 'amount', last.amount, 'most_amount', last.most_amount, 'debit_date', last.debit_date,
      'first_debit_date', coalesce(
        (select min(debit_date) from ach_debits first
          where first.organization_id = i.organization_id and first.invoice_id = i.id and state <> 'CANCELLED'), last.debit_date),
      'return_code', last.return_code, 'retries', last.attempt, 'repayment_id', last.repayment_id,
      'standing', (select count(*) from ach_debits debit
        join repayments r on r.id = debit.repayment_id and r.organization_id = debit.organization_id
        where debit.organization_id = i.organization_id and debit.invoice_id = i.id and r.failure is null))
    from ach_debits last where last.organization_id = i.organization_id and last.invoice_id = i.id order by last.state = 'CANCELLED', last.id desc limit 1) as ach,
  (select json_build_object('amount', credit.amount, 'absorbed_amount', credit.absorbed_amount, 'state', credit.state)
    from credits credit where credit.organization_id = i.organization_id and credit.invoice_id = i.id and credit.kind = 'REFUND' and credit.state <> 'CANCELLED'
    order by credit.id desc limit 1) as refund,
  (select business_date()) as as_of`

/**
 * Reads invoices for a person, null for the service; `chosen` selects their keys, as columns `id` and `organization_id`, and a
 * sort key, `key`.
 */
export async function readInvoices(
  tx: Tx,
  actor: Reader,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(InvoiceRow & { key: unknown })[]> {
  return selectAll<InvoiceRow & { key: unknown }>(tx)`
    select chosen.key, ${columnsFor(actor)}
    from (${chosen}) chosen join invoices i on i.id = chosen.id and i.organization_id = chosen.organization_id
    join employers employer on employer.id = i.employer_id
    join organizations organization on organization.id = employer.organization_id
    left join deductions deduction on deduction.invoice_id = i.id and deduction.organization_id = i.organization_id
    order by ${order}`
}

/** Whether the person may see invoices of this employer; a null actor is the service itself, which may see all. */
const open = (actor: Reader) => (actor ? openTo(actor, sql.ref('i.employer_id')) : sql<boolean>`true`)

/** Up to this many ids are looked up one by one with a prepared plan; more of them with one statement that is planned each time. */
const maxLookups = 4

/** Reads rows of invoices `i` of an organization by their ids, in order of id; lookups of few ids are pipelined. */
async function rowsOf<Row>(
  organization_id: number,
  ids: readonly number[],
  ask: (chosen: RawBuilder<boolean>) => Promise<Row[]>,
): Promise<Row[]> {
  if (ids.length > maxLookups)
    return ask(sql<boolean>`i.id = any(${[...ids]}::bigint[]) and i.organization_id = ${organization_id}`)
  const inOrder = [...new Set(ids)].sort((a, b) => a - b)
  return (await Promise.all(inOrder.map((id) => ask(sql<boolean>`${prepared} ${isRow('i', { id, organization_id })}`)))).flat()
}

const chosenBy = (actor: Reader, chosen: RawBuilder<boolean>) =>
  sql`select i.id, i.organization_id, null as key from invoices i where ${chosen} and ${open(actor)}`

/** Invoices of an organization by their ids, in order of id; those that the person may not see, and others', are left out. */
export const invoicesById = (tx: Tx, actor: Reader, organizationId: number, ids: readonly number[]): Promise<InvoiceRow[]> =>
  rowsOf(organizationId, ids, (chosen) => readInvoices(tx, actor, chosenBy(actor, chosen)))

/** Locked invoices of one organization with their totals from the ledger; use it when nothing else of them can have changed. */
export async function withTotals(tx: Tx, locked: readonly InvoiceRow[]): Promise<InvoiceRow[]> {
  const [first] = locked
  if (!first) return []
  const found = await rowsOf(
    first.organization_id,
    locked.map((row) => row.id),
    async (chosen) => {
      return selectAll<Totals>(tx)`select id, original_amount, writeoff_amount, rollover_amount, rollover_out_amount,
        paid_amount, invoice_amount, outstanding_amount from invoices i where ${chosen}`
    },
  )
  const totals = new Map(found.map((row) => [row.id, row]))
  return locked.map((row) => ({ ...row, ...totals.get(row.id) }))
}

type Totals = Pick<
  InvoiceRow,
  | 'id'
  | 'original_amount'
  | 'writeoff_amount'
  | 'rollover_amount'
  | 'rollover_out_amount'
  | 'paid_amount'
  | 'invoice_amount'
  | 'outstanding_amount'
>

/** One invoice, if the person may see it. */
export async function oneInvoice(tx: Tx, actor: Reader, of: RowOrId): Promise<InvoiceRow | null> {
  const chosen = typeof of === 'number' ? sql<boolean>`i.id = ${of}` : isRow('i', of)
  const [row] = await readInvoices(tx, actor, sql`${prepared} ${chosenBy(actor, chosen)}`)
  return row ?? null
}

/**
 * Invoices of one organization locked until the transaction ends, in order of id as in every statement that locks several, so
 * that they cannot deadlock; those that the person may not see, and those of others, are left out. No command moves money between
 * organizations, so none locks invoices of several. A repayment, write-off or deduction is locked before its invoices.
 */
export async function lockInvoices(tx: Tx, actor: Reader, organizationId: number, ids: readonly number[]): Promise<InvoiceRow[]> {
  const locking = rowsOf(organizationId, ids, async (chosen) => {
    return selectAll<{ id: number }>(tx)`
      select i.id from invoices i where ${chosen} and ${open(actor)} order by i.id for update`
  })
  // Sent right after the locks: PostgreSQL executes it once it has them.
  const [locked, rows] = await Promise.all([locking, invoicesById(tx, actor, organizationId, ids)])
  const had = new Set(locked.map((row) => row.id))
  return rows.filter((row) => had.has(row.id))
}

/** One invoice locked until the transaction ends; null if it does not exist, or if the person may not see it. */
export async function lockInvoice(tx: Tx, actor: Reader, of: RowOrId): Promise<InvoiceRow | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'invoices', of) : of
  return key && ((await lockInvoices(tx, actor, key.organization_id, [key.id]))[0] ?? null)
}

type Changes = Partial<
  Pick<Selectable<InvoiceTable>, 'status' | 'payment_method' | 'due_date' | 'closed_at' | 'closed_by' | 'closed_by_name'>
>

/**
 * Changes a locked invoice and increments its version; its amounts come from the ledger alone. Throws for a status transition
 * that is not allowed.
 */
export async function saveInvoice(tx: Tx, { id, organization_id }: RowKey, changes: Changes, now: Date): Promise<void> {
  const { status } = changes
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set((set) => ({ ...changes, updated_at: now, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .$if(status !== undefined, (query) => query.where('status', 'in', status ? [status, ...waysTo(status)] : []))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`INV-${id} may not go to ${status}.`)
}

/** The number of an invoice, as displayed. */
export const numberOf = (id: number): string => `${numberPrefix}${id}`
export const numberPrefix = 'INV-'

/** The snapshot of an invoice for the history. */
export const invoiceSnapshot = (row: InvoiceRow): Record<string, unknown> => ({
  status: row.status,
  invoice_amount: row.invoice_amount,
  paid_amount: row.paid_amount,
  outstanding_amount: row.outstanding_amount,
  writeoff_amount: row.writeoff_amount,
  rollover_amount: row.rollover_amount,
  due_date: row.due_date,
  debit_date: debitDateOf(row.ach),
  payment_method: row.payment_method,
  closed_by: row.closed_by_name,
})

/** An invoice as returned by the API. */
export const toInvoice = (row: InvoiceRow): Invoice =>
  answerOf(Invoice, {
    ...row,
    number: numberOf(row.id),
    derived: derivedStatesOf(row, row.as_of),
    days_past_due: daysPastDue(row, row.as_of),
    debtor_name: row.debtor_type === 'EMPLOYER' ? row.employer_name : row.organization_name,
    debtor_flagged: row.debtor_flagged && row.debtor_open,
    employer: { id: row.employer_id, name: row.employer_name, code: row.employer_code, status: row.employer_status },
    organization: { id: row.organization_id, name: row.organization_name },
    active_account_count: row.debtor_open ? row.active_account_count : null,
    closed_by: row.closed_by === null ? null : { id: row.closed_by, name: row.closed_by_name ?? '' },
    ach: row.ach && { ...row.ach, repayment_id: row.debtor_open ? row.ach.repayment_id : null },
  })
