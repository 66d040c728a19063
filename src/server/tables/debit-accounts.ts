import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'
import { selectOne } from '#server/postgres/select.ts'

/** The account data that the processor needs for a debit. */
export interface DebitAccount {
  bank_name: string | null
  routing_number: string
  account_number: string
}

/**
 * Whether the debtor of invoices `alias` may be debited from a billing account `account`: it is active and covers the employer,
 * or the debtor is the organization, which may use any of its accounts. `organization` is the invoices' organization.
 */
export const debits = (alias: string, organization: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  account.organization_id = ${organization} and account.status = 'ACTIVE'
  and (${sql.ref(`${alias}.debtor_type`)} = 'ORGANIZATION' or account.scope = 'ORGANIZATION' or exists (
    select from billing_account_employers link
    where link.billing_account_id = account.id and link.employer_id = ${sql.ref(`${alias}.employer_id`)}))`

/** Whether an invoice `e` is scheduled for a debit while its debtor has no account for it. */
export const debitWithoutAccount: RawBuilder<boolean> = sql<boolean>`e.status = 'SCHEDULED' and not exists (
  select from billing_accounts account
  where ${debits('e', sql`(select organization_id from employers where id = e.employer_id)`)})`

/**
 * The account to debit for a locked invoice: one for the employer alone before one for the whole organization, then the oldest;
 * it stays active until the commit. Null if there is none.
 */
export async function lockDebitAccount(tx: Tx, invoice: { id: number; organization_id: number }): Promise<DebitAccount | null> {
  return selectOne<DebitAccount>(tx)`
    select account.bank_name, account.routing_number, account.account_number from invoices i
    join billing_accounts account on ${debits('i', sql`${invoice.organization_id}`)}
    where i.id = ${invoice.id}
    order by (account.scope = 'EMPLOYERS') <> (i.debtor_type = 'EMPLOYER'), account.id limit 1 for share of account`
}
