import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'
import type { InvoiceRow } from '#server/tables/invoices.ts'

/** Flags a debtor for review: returned money had been used as credit (docs/rules/invoices.md). */
export const flagDebtor = (tx: Tx, row: Pick<InvoiceRow, 'id' | 'organization_id' | 'debtor_type' | 'debtor_id'>) =>
  sql`
  insert into debtor_flags (organization_id, debtor_type, debtor_id, invoice_id, reason)
  select ${row.organization_id}, ${row.debtor_type}, ${row.debtor_id}, ${row.id}, 'CREDIT_OF_RETURNED_PAYMENT_USED'
  where not exists (select from debtor_flags where organization_id = ${row.organization_id} and invoice_id = ${row.id}
    and resolved_at is null)`.execute(tx)

/** Resolves open flags: those of an invoice that owes nothing any more, or all of its debtor when a person resolves them. */
export const resolveFlags = (
  tx: Tx,
  of: 'invoice' | 'debtor',
  { id, organization_id, debtor_type, debtor_id }: Pick<InvoiceRow, 'id' | 'organization_id' | 'debtor_type' | 'debtor_id'>,
  now: Date,
) =>
  sql`
  update debtor_flags set resolved_at = ${now} where resolved_at is null and organization_id = ${organization_id} and ${
    of === 'invoice' ? sql`invoice_id = ${id}` : sql`debtor_type = ${debtor_type} and debtor_id = ${debtor_id}`
  }`.execute(tx)
