import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { BillingAccount, listBillingAccounts } from '#contract/billing-accounts.ts'
import { type BillingAccountScope, type BillingAccountStatus, billingScopeLabels } from '#domain/billing-account.ts'
import type { Reader } from '#server/access/actor.ts'
import { organizationWholeTo } from '#server/access/scope.ts'
import { defineList } from '#server/paging/define-list.ts'
import { searched } from '#server/tables/company-words.ts'
import { choice, idIn } from '#server/tables/conditions.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { isFound, selectAll } from '#server/postgres/select.ts'
import { insertRow, saveRow } from '#server/tables/rows.ts'

/** The table `billing_accounts`: the accounts that organizations are debited from. */
export interface BillingAccountTable extends Stamped {
  organization_id: number
  name: string
  nickname: string
  bank_name: string | null
  account_number: string
  routing_number: string
  ach_code: string | null
  scope: BillingAccountScope
  status: Generated<BillingAccountStatus>
}

declare module '#server/tables/database.ts' {
  interface Database {
    billing_accounts: BillingAccountTable
  }
}

/** A billing account with the data that its rules and its row need. */
export interface BillingAccountRow extends Selectable<BillingAccountTable> {
  employers: BillingAccount['employers']
  in_flight_count: number
}

const column = (name: string) => sql.ref(`e.${name}`)
/** The whole organization pays with an account: only people granted all of the organization see it. */
const open = (actor: Reader) => organizationWholeTo(actor, column('organization_id'))

/** Reads billing accounts; `chosen` selects their ids and sort keys. */
async function read(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(BillingAccountRow & { key: unknown })[]> {
  return selectAll<BillingAccountRow & { key: unknown }>(tx)`
    select chosen.key, e.*,
      coalesce((select json_agg(json_build_object('id', employer.id, 'name', employer.internal_name)
          order by employer.name_key, employer.id)
        from billing_account_employers link join employers employer on employer.id = link.employer_id
        where link.billing_account_id = e.id), '[]') as employers,
      (select count(*)::int from ach_debits debit
        join repayments flying on flying.id = debit.repayment_id and flying.organization_id = debit.organization_id
          and flying.account_number = e.account_number
        where debit.organization_id = e.organization_id and debit.state = 'SUBMITTED' and flying.ach_state = 'PENDING') as in_flight_count
    from (${chosen}) chosen join billing_accounts e on e.id = chosen.id order by ${order}`
}

/** Billing accounts; active ones first by default. */
export const billingAccountList = defineList({
  endpoint: listBillingAccounts,
  from: sql`billing_accounts e`,
  open,
  filters: {
    ...choice('status', column('status')),
    ...choice('scope', column('scope')),
    'organization-id': idIn(column('organization_id')),
    q: searched(sql`fold(e.name || ' ' || e.nickname || ' ' || coalesce(e.bank_name, '') || ' ' || right(e.account_number, 4))`),
  },
  sorts: {
    id: null,
    status: column('status'),
    name: sql`fold(e.name) collate "C"`,
    nickname: sql`fold(e.nickname) collate "C"`,
    updated_at: column('updated_at'),
  },
  read: ({ tx }, chosen, order) => read(tx, chosen, order),
})

/** One billing account, if the person may see it. With `lock` nobody else changes it or its organization before the commit. */
export async function oneBillingAccount(
  tx: Tx,
  actor: Reader,
  id: number,
  { lock = false } = {},
): Promise<BillingAccountRow | null> {
  if (lock)
    await sql`select 1 from organizations where id = (select organization_id from billing_accounts where id = ${id})
      for no key update`.execute(tx)
  const chosen = sql`select e.id, null as key from billing_accounts e where e.id = ${id} and ${open(actor)}`
  const [row] = await read(tx, chosen, sql`chosen.id`)
  return row ?? null
}

/** The values of an account that a person sets. */
export type BillingAccountValues = Pick<
  BillingAccountTable,
  'name' | 'nickname' | 'bank_name' | 'routing_number' | 'ach_code' | 'scope'
>

/** Adds an account to a locked organization; returns its id. */
export async function insertBillingAccount(
  tx: Tx,
  values: BillingAccountValues & Pick<BillingAccountTable, 'organization_id' | 'account_number'>,
  employerIds: readonly number[],
): Promise<number> {
  const id = await insertRow(tx, 'billing_accounts', values)
  await saveEmployers(tx, id, employerIds)
  return id
}

/** Changes a locked account and increments its version. */
export async function saveBillingAccount(
  tx: Tx,
  id: number,
  values: BillingAccountValues & { account_number?: string | undefined },
  employerIds: readonly number[],
  now: Date,
): Promise<void> {
  await saveRow(tx, 'billing_accounts', id, values, now)
  await saveEmployers(tx, id, employerIds)
}

async function saveEmployers(tx: Tx, id: number, employerIds: readonly number[]): Promise<void> {
  await sql`delete from billing_account_employers where billing_account_id = ${id}`.execute(tx)
  await sql`insert into billing_account_employers (billing_account_id, employer_id)
    select ${id}, unnest(${[...new Set(employerIds)]}::bigint[])`.execute(tx)
}

/** Marks a locked account as deleted; the row stays, since earlier debits refer to it. */
export async function markBillingAccountDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`update billing_accounts set status = 'DELETED', updated_at = ${now}, version = version + 1 where id = ${id}`.execute(
    tx,
  )
}

/** Whether the organization has another active account with the same bank account. */
export async function hasSameAccount(
  tx: Tx,
  {
    organization_id,
    routing_number,
    account_number,
  }: Pick<BillingAccountTable, 'organization_id' | 'routing_number' | 'account_number'>,
  but: number | null,
): Promise<boolean> {
  return isFound(tx)`select 1 from billing_accounts where organization_id = ${organization_id} and status = 'ACTIVE'
    and routing_number = ${routing_number} and account_number = ${account_number} and id is distinct from ${but}::bigint`
}

/** The ids of these employers that belong to another organization. */
export async function employersElsewhere(tx: Tx, organizationId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from employers
    where organization_id = ${organizationId} and id = any(${[...ids]}::bigint[])`.execute(tx)
  const own = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !own.has(id))
}

/** A billing account as returned by the API. */
export const toBillingAccount = (row: BillingAccountRow): BillingAccount =>
  answerOf(BillingAccount, {
    ...row,
    account_number_last_four: row.account_number.slice(-4),
  })

/** The display name of a billing account, with only the last four digits of its number. */
export const billingAccountName = (row: Pick<BillingAccountRow, 'nickname' | 'account_number'>): string =>
  `${row.nickname} ••••${row.account_number.slice(-4)}`

/** The snapshot of an account for the history of the organization. */
export const billingAccountSnapshot = (row: BillingAccountRow) => ({
  billing_account: billingAccountName(row),
  billing_account_name: row.name,
  billing_account_bank: row.bank_name,
  billing_account_routing_number: row.routing_number,
  billing_account_ach_code: row.ach_code,
  billing_account_scope: billingScopeLabels[row.scope],
  billing_account_employers: row.employers.map(({ name }) => name).join(', ') || null,
  billing_account_status: row.status,
})
