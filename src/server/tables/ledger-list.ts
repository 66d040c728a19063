import { sql } from 'kysely'
import type { LedgerEntry } from '#contract/invoices.ts'
import type { Tx } from '#server/route.ts'
import type { EntryKind } from '#domain/ledger.ts'
import type { LedgerEntryTable } from '#server/tables/ledger.ts'
import type { Selectable } from 'kysely'

/** At most `limit` entries of an invoice after this id, oldest first; `next` is the id to go on from, null at the end. */
export async function entriesOfInvoice(
  tx: Tx,
  invoiceId: number,
  after: number,
  limit: number,
): Promise<{ entries: LedgerEntry[]; next: number | null }> {
  const { rows } = await sql<Selectable<LedgerEntryTable> & { kind: EntryKind }>`
    select * from ledger_entries where invoice_id = ${invoiceId} and id > ${after} order by id limit ${limit + 1}`.execute(tx)
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
