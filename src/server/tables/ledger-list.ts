import { sql } from 'kysely'
import type { LedgerEntry } from '#contract/invoices.ts'
import type { EntryKind } from '#domain/ledger.ts'
import { openTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import type { LedgerEntryTable } from '#server/tables/ledger.ts'
import { debtorOpenTo } from '#server/tables/repayments.ts'
import type { Selectable } from 'kysely'

/**
 * At most `limit` entries of an invoice after this id, oldest first; `next` is the id to go on from, null at the end. The
 * other invoice of a rollover, and a repayment, are named only where they are open to the person.
 */
export async function entriesOfInvoice(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'kind'>,
  invoiceId: number,
  after: number,
  limit: number,
): Promise<{ entries: LedgerEntry[]; next: number | null }> {
  const { rows } = await sql<Selectable<LedgerEntryTable> & { kind: EntryKind }>`
    select entry.*,
      (select i.id from invoices i where i.id = entry.counter_invoice_id and ${openTo(actor, sql.ref('i.employer_id'))})
        as counter_invoice_id,
      (select r.id from repayments r where r.id = entry.repayment_id and ${debtorOpenTo(actor, 'r')}) as repayment_id
    from ledger_entries entry where entry.invoice_id = ${invoiceId} and entry.id > ${after}
    order by entry.id limit ${limit + 1}`.execute(tx)
  const page = rows.slice(0, limit)
  return {
    entries: page.map((row) => ({
      id: row.id,
      kind: row.kind,
      amount: row.amount,
      repayment_id: row.repayment_id,
      write_off_id: row.write_off_id,
      counter_invoice_id: row.counter_invoice_id,
      reverses: row.reverses,
      actor: { id: row.actor_id, name: row.actor_name },
      on_date: row.on_date,
      at: row.at.toISOString(),
    })),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}
