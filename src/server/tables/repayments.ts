import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type AllocatedAmount, Repayment } from '#contract/repayments.ts'
import {
  type AchState,
  type Failure,
  type Origin,
  type Reconciliation,
  type RecordedRepayment,
  counts,
} from '#domain/repayment.ts'
import { debtorOpenTo, type OpenDebtor, openTo } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { numberOf } from '#server/tables/invoices.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { isRow, keyOf, type RowKey, type RowOrId, saveRow } from '#server/tables/rows.ts'

/** The table `repayments`; amounts in cents. */
export interface RepaymentTable extends Stamped {
  organization_id: number
  debtor_type: 'EMPLOYER' | 'ORGANIZATION'
  debtor_id: number
  /** Negative for a return. */
  amount: number
  /** On a return: the part taken from the unallocated amount; not positive. */
  unallocated_amount: number
  repayment_date: string
  effective_date: string | null
  origin: Origin
  reconciliation_status: Reconciliation
  ach_state: AchState | null
  failure: Failure | null
  return_code: string | null
  returns_id: number | null
  /** The bank result of a return; null on one that only a person recorded. */
  bank_result_id: number | null
  /** On a return: the bank result by which it was dishonored. */
  dishonor_result_id: number | null
  /** The dishonored return that this one contests. */
  contests_id: number | null
  requester_id: string | null
  requester_name: string | null
  ach_addenda: string | null
  descriptor: string | null
  bank_name: string | null
  account_number: string | null
  department_code: string | null
  notes: string | null
}

/**
 * The part of a repayment allocated to an invoice; a return has negative parts, which are also subtracted from those of the
 * returned repayment.
 */
export interface RepaymentAllocationTable {
  organization_id: number
  repayment_id: number
  invoice_id: number
  amount: number
}

declare module '#server/tables/database.ts' {
  interface Database {
    repayments: RepaymentTable
    repayment_allocations: RepaymentAllocationTable
  }
}

interface Share {
  invoice_id: number
  amount: number
  /** Whether the invoice is open to the reader; missing means yes. */
  open?: boolean
}

/** A repayment with the data that its rules and the API need. */
export interface RepaymentRow extends Selectable<RepaymentTable>, OpenDebtor {
  returned_amount: number
  allocations: Share[]
  /** The amounts that its returns took from each invoice; positive. */
  came_back: Share[]
  /** The invoice whose debit it is. */
  debited: Pick<Share, 'invoice_id' | 'open'> | null
  /** On a return: whether it reduced the paid amount, as opposed to a debit in flight; true for anything else. */
  posted: boolean
}

/** Whether the invoice of a row `a` is open to the person; constant for readers who see all. */
const shareOpen = (actor: Reader): RawBuilder<boolean> =>
  !actor || actor.kind === 'ADMIN'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from invoices i where i.organization_id = a.organization_id and i.id = a.invoice_id
        and ${openTo(actor, sql.ref('i.employer_id'))})`

/** The columns of the table, for repayments `r`. */
export const ownColumns = sql`
  r.id, r.debtor_type, r.debtor_id, r.amount, r.unallocated_amount, r.repayment_date, r.effective_date, r.origin,
  r.reconciliation_status, r.ach_state, r.failure, r.return_code, r.returns_id, r.bank_result_id, r.dishonor_result_id, r.contests_id,
  r.requester_id, r.requester_name, r.ach_addenda, r.descriptor, r.bank_name, r.account_number, r.department_code, r.notes, r.created_at, r.updated_at, r.version`

const columnsFor = (actor: Reader) => sql`
  ${ownColumns},
  organization.id as organization_id, organization.name as organization_name,
  employer.id as employer_id, employer.internal_name as employer_name,
  coalesce((select -sum(back.amount) from repayments back
    where back.organization_id = r.organization_id and back.returns_id = r.id and back.failure is null), 0)::bigint
    as returned_amount,
  coalesce((select json_agg(json_build_object('invoice_id', a.invoice_id, 'amount', a.amount, 'open', ${shareOpen(actor)})
      order by a.invoice_id)
    from repayment_allocations a where a.organization_id = r.organization_id and a.repayment_id = r.id), '[]') as allocations,
  coalesce((select json_agg(
      json_build_object('invoice_id', part.invoice_id, 'amount', part.amount, 'open', part.open) order by part.invoice_id)
    from (select a.invoice_id, -sum(a.amount)::bigint as amount, bool_and(${shareOpen(actor)}) as open from repayments back
      join repayment_allocations a on a.repayment_id = back.id and a.organization_id = back.organization_id
      where back.organization_id = r.organization_id and back.returns_id = r.id and back.failure is null
      group by a.invoice_id) part), '[]')
    as came_back,
  (select json_build_object('invoice_id', a.invoice_id, 'open', ${shareOpen(actor)})
    from ach_debits a where a.organization_id = r.organization_id and a.repayment_id = r.id order by a.id limit 1) as debited,
  (r.origin <> 'RETURN' or exists (select from ledger_entries entry
    where entry.organization_id = r.organization_id and entry.repayment_id = r.id)) as posted`

/**
 * Reads repayments for a person (null is the service); `chosen` selects their keys, as columns `id` and `organization_id`, and a
 * sort key, `key`.
 */
export async function readRepayments(
  tx: Tx,
  actor: Reader,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(RepaymentRow & { key: unknown })[]> {
  return selectAll<RepaymentRow & { key: unknown }>(tx)`
    select chosen.key, ${columnsFor(actor)}
    from (${chosen}) chosen join repayments r on r.id = chosen.id and r.organization_id = chosen.organization_id
    left join employers employer on r.debtor_type = 'EMPLOYER' and employer.id = r.debtor_id
    join organizations organization on organization.id = r.organization_id
    order by ${order}`
}

type Reader = Pick<Actor, 'id' | 'kind'> | null

/** One repayment, if the person may see it. */
export async function oneRepayment(tx: Tx, actor: Reader, of: RowOrId): Promise<RepaymentRow | null> {
  const [row] = await readRepayments(
    tx,
    actor,
    sql`${prepared} select r.id, r.organization_id, null as key from repayments r
      where ${typeof of === 'number' ? sql`r.id = ${of}` : isRow('r', of)} and ${debtorOpenTo(actor, 'r')}`,
  )
  return row ?? null
}

/**
 * A repayment locked until the transaction ends, if the person may see it; a return is locked after the repayment it returns.
 * Lock it before any invoice.
 */
export async function lockRepayment(tx: Tx, actor: Reader, of: RowOrId): Promise<RepaymentRow | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'repayments', of) : of
  if (!key) return null
  const { id, organization_id } = key
  // Pipelined in one round trip: PostgreSQL executes the read once it has the locks.
  const [, { rows }, row] = await Promise.all([
    sql`${prepared} select from repayments where organization_id = ${organization_id} and id = (
      select returns_id from repayments where organization_id = ${organization_id} and id = ${id}) for update`.execute(tx),
    sql`${prepared} select from repayments r where ${isRow('r', key)} and ${debtorOpenTo(actor, 'r')} for update`.execute(tx),
    oneRepayment(tx, actor, key),
  ])
  return rows.length > 0 ? row : null
}

/** The identity of a repayment of a debtor; `id` if it is already recorded. */
type Identity = Pick<RepaymentTable, 'debtor_type' | 'debtor_id' | 'amount' | 'repayment_date'> & {
  id?: number
  descriptor?: string | null
}

/** Normalizes a bank statement text for comparison: lower case, without whitespace and invisible characters. */
const comparedText = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`lower(regexp_replace(normalize(coalesce(${text}, ''), NFKC),
    '[\\s\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+', '', 'g'))`

/** Makes concurrent requests for the same repayment wait until the transaction ends. Take it before any other lock. */
export async function lockSameRepayment(
  tx: Tx,
  { debtor_type, debtor_id, amount, repayment_date, descriptor }: Identity,
): Promise<void> {
  const key = [debtor_type, debtor_id, amount, repayment_date].join(' ')
  await sql`${prepared} select pg_advisory_xact_lock(hashtextextended(
    'repayment ' || ${key}::text || ' ' || ${comparedText(sql`${descriptor ?? null}::text`)}, 0))`.execute(tx)
}

/**
 * The first other repayment of a debtor with this amount, date and bank statement text that did not fail; null if there is none.
 */
export async function sameRepayment(
  tx: Tx,
  { id = 0, organization_id, debtor_type, debtor_id, amount, repayment_date, descriptor }: Identity & { organization_id: number },
): Promise<RecordedRepayment | null> {
  const { rows } = await sql<Omit<RecordedRepayment, 'reference_id'> & { id: number }>`${prepared}
    select id, amount, repayment_date, descriptor from repayments
    where organization_id = ${organization_id} and debtor_type = ${debtor_type} and debtor_id = ${debtor_id}
      and repayment_date = ${repayment_date}::date and amount = ${amount}
      and origin <> 'RETURN' and failure is null and id <> ${id}
      and ${comparedText(sql`descriptor`)} = ${comparedText(sql`${descriptor ?? null}::text`)} order by id limit 1`.execute(tx)
  const [first] = rows
  return first ? { ...first, reference_id: referenceOf(first.id) } : null
}

/** The required columns of a new repayment. */
export type NewRepaymentRow = Partial<RepaymentTable> &
  Pick<
    RepaymentTable,
    | 'organization_id'
    | 'debtor_type'
    | 'debtor_id'
    | 'amount'
    | 'unallocated_amount'
    | 'repayment_date'
    | 'origin'
    | 'reconciliation_status'
  >

/** The statement that inserts a repayment. */
export const insertRepaymentStatement = (row: NewRepaymentRow): RawBuilder<unknown> => {
  const given = Object.entries(row).filter(([, value]) => value !== undefined)
  return sql`insert into repayments (${sql.join(given.map(([name]) => sql.ref(name)))})
    values (${sql.join(given.map(([, value]) => value))})`
}

/** Adds a repayment and returns its id. */
export async function insertRepayment(tx: Tx, row: NewRepaymentRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`${prepared} ${insertRepaymentStatement(row)} returning id`.execute(tx)
  return rows[0]?.id as number
}

/** Sets the returns in effect of a locked repayment to its status: they count as it does. */
const returnsFollow = (tx: Tx, { id, organization_id }: RowKey, status: Reconciliation, now: Date): Promise<unknown> =>
  sql`${prepared} update repayments set reconciliation_status = ${status}, updated_at = ${now}, version = version + 1
    where organization_id = ${organization_id} and returns_id = ${id} and failure is null and reconciliation_status <> ${status}`.execute(
    tx,
  )

/** Changes a locked repayment, increments its version, and returns it afterwards; its returns follow its status. */
export async function saveRepayment(
  tx: Tx,
  of: RowKey,
  changes: Partial<Omit<Selectable<RepaymentTable>, 'id' | 'organization_id' | 'version'>>,
  now: Date,
): Promise<RepaymentRow> {
  const changing = saveRow(tx, 'repayments', of, changes, now)
  const status = changes.reconciliation_status
  const [, row] = await Promise.all([
    changing,
    oneRepayment(tx, null, of),
    ...(status === undefined ? [] : [returnsFollow(tx, of, status, now)]),
  ])
  return row as RepaymentRow
}

/** The reference of a repayment, as displayed. */
export const referenceOf = (id: number): string => `REP-${id}`

/** Whether a repayment's shares are in the ledger; those of a return are if the returned repayment had settled. */
export const isCounted = (row: RepaymentRow): boolean =>
  row.origin === 'RETURN'
    ? row.posted && row.failure === null
    : counts({ failed: row.failure !== null, ach_state: row.ach_state })

/** The snapshot of a repayment for the history; never the account number. */
export const repaymentSnapshot = (row: RepaymentRow): Record<string, unknown> => ({
  amount: row.amount,
  repayment_date: row.repayment_date,
  reconciliation_status: row.reconciliation_status,
  ach_state: row.ach_state,
  unallocated_amount: row.unallocated_amount,
  returned_amount: row.returned_amount,
  return_code: row.return_code,
  allocations: row.allocations.map(({ invoice_id, amount }): AllocatedAmount => ({ number: numberOf(invoice_id), amount })),
  notes: row.notes,
})

/** The account number masked to its last four digits; its length is hidden. */
const masked = (account: string | null): string | null => account && `••••${account.slice(-4)}`

/** Refuses a change of a repayment that is partly allocated to an invoice that is not open to the person. */
export function requireWithinAccess(row: RepaymentRow): void {
  const touched = [...row.allocations, ...row.came_back, ...(row.debited ? [row.debited] : [])]
  if (touched.every(({ open }) => open !== false)) return
  throw new Refused(409, 'beyond-access', 'Part of this repayment stands for an invoice that is not open to you.')
}

/**
 * A repayment as returned by the API; for one that came back in full, the allocations are the returned amounts. Invoices that are
 * not open to the person are left out.
 */
export const toRepayment = (row: RepaymentRow): Repayment =>
  answerOf(Repayment, {
    ...row,
    reference_id: referenceOf(row.id),
    debtor_name: row.employer_name ?? row.organization_name,
    organization: { id: row.organization_id, name: row.organization_name },
    employer: row.employer_id === null ? null : { id: row.employer_id, name: row.employer_name as string },
    account_number: masked(row.account_number),
    by_hand: row.origin === 'RETURN' && row.requester_id !== null && row.bank_result_id === null,
    debited_invoice_id: row.debited && row.debited.open !== false ? row.debited.invoice_id : null,
    allocations: (row.failure === 'RETURNED' ? row.came_back : row.allocations)
      .filter((part) => part.open !== false)
      .map(({ invoice_id, amount }) => ({ invoice_id, amount, number: numberOf(invoice_id), counted: isCounted(row) })),
  })
