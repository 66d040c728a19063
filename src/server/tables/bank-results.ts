import { type RawBuilder, sql } from 'kysely'
import { BankResult } from '#contract/bank-results.ts'
import { type AnsweredDebit, type BankResultProblem, type BankResultState, isNotice } from '#domain/bank-result.ts'
import { permissionId } from '#domain/permissions.ts'
import { settledOn } from '#domain/repayment.ts'
import { debtorOpenTo, openTo, organizationWholeTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { saidByBank } from '#server/tables/debits.ts'
import { numberOf } from '#server/tables/invoices.ts'
import type { RepaymentRow } from '#server/tables/repayments.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { isRow, type RowOrId } from '#server/tables/rows.ts'

/** A bank result on a debit, with the data that its rules and the API need; cents. */
export interface BankResultRow {
  id: number
  trace_number: string
  code: string
  amount: number
  addenda: string
  effective_date: string
  state: BankResultState
  problem: BankResultProblem | null
  repayment_id: number | null
  invoice_id: number | null
  debtor_name: string | null
  organization_id: number | null
  organization_name: string | null
  debit: AnsweredDebit | null
  /** For a notice of change: the active billing account with the debited number; null where none or several have it. */
  billing_account: BankResult['billing_account']
  decided_by: string | null
  decided_by_name: string | null
  decided_at: Date | null
  decision_reason: string | null
  taken_at: Date
  version: number
  /** The business date. */
  as_of: string
}

type Reader = Pick<Actor, 'id' | 'kind'> | null

/** The returns of a repayment that are in effect, as JSON, oldest first. */
const returnsOf = (repayment: string) => sql`coalesce((
  select json_agg(json_build_object('id', back.id, 'code', back.return_code, 'amount', -back.amount, 'by_hand', not ${saidByBank('back')})
    order by back.id)
  from repayments back where back.organization_id = ${sql.ref(`${repayment}.organization_id`)}
    and back.returns_id = ${sql.ref(`${repayment}.id`)} and back.failure is null), '[]')`

/** The returns of a repayment that were dishonored, as JSON, oldest first. */
const dishonoredOf = (repayment: string) => sql`coalesce((
  select json_agg(json_build_object('id', back.id, 'code', back.return_code, 'amount', -back.amount,
    'contested', back.failure = 'CONTESTED') order by back.id)
  from repayments back where back.organization_id = ${sql.ref(`${repayment}.organization_id`)}
    and back.returns_id = ${sql.ref(`${repayment}.id`)} and back.failure in ('DISHONORED', 'CONTESTED')), '[]')`

type Money = Pick<RepaymentRow, 'amount' | 'ach_state' | 'effective_date' | 'repayment_date'> &
  Pick<AnsweredDebit, 'returns' | 'dishonored'>

const debitFrom = (money: Money): AnsweredDebit => ({
  amount: money.amount,
  debited_on: money.repayment_date,
  settled_on: settledOn(money),
  returns: money.returns,
  dishonored: money.dishonored,
})

/** The money of a repayment, as input for the rules on bank results. */
export async function answeredDebit(tx: Tx, of: RowOrId): Promise<AnsweredDebit> {
  const { rows } = await sql<Money>`
    select r.amount, r.ach_state, r.effective_date, r.repayment_date, ${returnsOf('r')} as returns,
      ${dishonoredOf('r')} as dishonored
    from repayments r where ${typeof of === 'number' ? sql`r.id = ${of}` : isRow('r', of)}`.execute(tx)
  return debitFrom(rows[0] as Money)
}

/** Whether a result `e` of a repayment `r` is open to the person: with its debtor; a result without a debit is for admins only. */
export const resultOpenTo = (actor: Reader): RawBuilder<boolean> =>
  !actor || actor.kind === 'ADMIN' ? sql<boolean>`true` : sql<boolean>`(r.id is not null and ${debtorOpenTo(actor, 'r')})`

/** The invoice of the repayment `r`: that of its debit, else its first allocation; null if it is not open to the person. */
const invoiceOpenTo = (actor: Reader) => sql`(
  select part.invoice_id from (
    select organization_id, invoice_id, true as debited from ach_debits
      where organization_id = r.organization_id and repayment_id = r.id
    union all select organization_id, invoice_id, false from repayment_allocations
      where organization_id = r.organization_id and repayment_id = r.id
  ) part join invoices i on i.id = part.invoice_id and i.organization_id = part.organization_id
  where ${actor ? openTo(actor, sql.ref('i.employer_id')) : sql`true`} order by debited desc, part.invoice_id limit 1)`

/** The billing account that a notice of change `e` concerns, if all of its organization is open to the person. */
const accountOpenTo = (actor: Reader) => sql`case when e.problem = 'NOTICE_OF_CHANGE' then (
  select case when count(*) = 1 then min(json_build_object('id', account.id, 'nickname', account.nickname,
    'last_four', right(account.account_number, 4), 'routing_number', account.routing_number, 'ach_code', account.ach_code,
    'version', account.version)::text)::json end
  from billing_accounts account
  where account.organization_id = organization.id and account.status = 'ACTIVE' and account.account_number = r.account_number
    and ${actor ? organizationWholeTo(actor, sql.ref('account.organization_id')) : sql`true`}) end`

/** Reads bank results for a person; `chosen` selects ids and a sort key, as columns `id` and `key`. */
export async function readBankResults(
  tx: Tx,
  actor: Reader,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(BankResultRow & { key: unknown })[]> {
  const { rows } = await sql<Omit<BankResultRow, 'debit'> & { key: unknown; money: Money | null }>`
    select chosen.key, e.id, e.trace_number, e.code, e.amount, e.addenda, e.effective_date, e.state, e.problem, e.repayment_id,
      ${invoiceOpenTo(actor)} as invoice_id,
      coalesce(employer.internal_name, organization.name) as debtor_name, organization.id as organization_id,
      organization.name as organization_name, e.decided_by, e.decided_by_name, e.decided_at, e.decision_reason, e.taken_at, e.version,
      (select business_date()) as as_of,
      case when r.id is not null then json_build_object('amount', r.amount, 'ach_state', r.ach_state, 'effective_date', r.effective_date,
        'repayment_date', r.repayment_date, 'returns', ${returnsOf('r')}, 'dishonored', ${dishonoredOf('r')}) end as money,
      ${accountOpenTo(actor)} as billing_account
    from (${chosen}) chosen join ach_results e on e.id = chosen.id
    left join repayments r on r.id = e.repayment_id
    left join employers employer on r.debtor_type = 'EMPLOYER' and employer.id = r.debtor_id
    left join organizations organization on organization.id = r.organization_id
    order by ${order}`.execute(tx)
  return rows.map(({ money, ...row }) => ({ ...row, debit: money && debitFrom(money) }))
}

/** One result that has taken effect, if the person may see it. */
export async function oneBankResult(tx: Tx, actor: Reader, id: number): Promise<BankResultRow | null> {
  const [row] = await readBankResults(
    tx,
    actor,
    sql`select e.id, null as key from ach_results e left join repayments r on r.id = e.repayment_id
      where e.id = ${id} and e.state <> 'WAITING' and ${resultOpenTo(actor)}`,
  )
  return row ?? null
}

/** A result locked until the transaction ends, if the person may see it. Lock it before its repayment. */
export async function lockBankResult(tx: Tx, actor: Reader, id: number): Promise<BankResultRow | null> {
  await sql`select from ach_results where id = ${id} for update`.execute(tx)
  return oneBankResult(tx, actor, id)
}

interface Changes {
  state: BankResultState
  repayment_id?: number | null
  decided_by?: string | null
  decided_by_name?: string | null
  decided_at?: Date | null
  decision_reason?: string | null
}

/** Changes a locked result, increments its version, and returns it as the person may see it. */
export async function saveBankResult(
  tx: Tx,
  actor: Reader,
  row: BankResultRow,
  changes: Changes,
  now: Date,
): Promise<BankResultRow> {
  const { state, repayment_id, decided_by, decided_by_name, decided_at, decision_reason } = { ...row, ...changes }
  await sql`update ach_results set state = ${state}, repayment_id = ${repayment_id}, decided_by = ${decided_by},
    decided_by_name = ${decided_by_name}, decided_at = ${decided_at}, decision_reason = ${decision_reason}, updated_at = ${now},
    version = version + 1 where id = ${row.id}`.execute(tx)
  return (await oneBankResult(tx, actor, row.id)) as BankResultRow
}

/** The snapshot of a result for the history. */
export const bankResultSnapshot = ({ state, problem, repayment_id }: BankResultRow): Record<string, unknown> => ({
  state,
  problem,
  repayment_id,
})

/** Masks account numbers in the addenda of a notice except for their last four digits. */
const maskedAddenda = (addenda: string): string => addenda.replace(/\d+(?=\d{4})/g, '••••')

/**
 * A bank result as returned by the API. A notice has no amount; the account number in its addenda is complete only for people who
 * may change billing accounts.
 */
export const toBankResult = (row: BankResultRow, actor: Pick<Actor, 'held'>): BankResult =>
  answerOf(BankResult, {
    ...row,
    amount: isNotice(row.code) ? 0 : row.amount,
    addenda:
      (isNotice(row.code) && !actor.held.has(permissionId('write:billing')) ? maskedAddenda(row.addenda) : row.addenda) || null,
    invoice: row.invoice_id === null ? null : { id: row.invoice_id, number: numberOf(row.invoice_id) },
    organization: row.organization_id === null ? null : { id: row.organization_id, name: row.organization_name as string },
    debit: row.debit && { ...row.debit, returns: [...row.debit.returns], dishonored: [...row.debit.dishonored] },
    decided_by: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_by_name ?? '' },
  })
