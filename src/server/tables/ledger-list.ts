import { type Selectable, sql } from 'kysely'
import { LedgerEntry, type listInvoiceLedger } from '#contract/invoice-ledger.ts'
import type { QueryOf } from '#contract/define.ts'
import { type EntryKind, raisingKinds } from '#domain/ledger.ts'
import { openTo, debtorOpenTo } from '#server/access/scope.ts'
import type { Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { type Position, scan, type Start } from '#server/paging/keyset.ts'
import type { LedgerEntryTable } from '#server/tables/ledger.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import type { RowKey } from '#server/tables/rows.ts'

type Row = Selectable<LedgerEntryTable> & { kind: EntryKind; key: null; outstanding_amount: number }

/**
 * A page of the entries of an invoice, oldest first, each with the outstanding amount after it, and the cursor to continue from.
 * The other invoice of a rollover, and a repayment, are included only if they are open to the person.
 */
export async function pageOfEntries(
  tx: Tx,
  actor: Reader,
  invoice: RowKey,
  query: QueryOf<typeof listInvoiceLedger>,
  place: Start,
): Promise<{ rows: LedgerEntry[]; next: Position | null }> {
  const { rows, next } = await scan<Row>({
    segments: [{}],
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      const found = await sql<Row>`
        select e.*, ${order.key} as key,
          (select i.id from invoices i
            where i.organization_id = e.organization_id and i.id = e.counter_invoice_id and ${openTo(actor, sql.ref('i.employer_id'))})
            as counter_invoice_id,
          (select r.id from repayments r
            where r.organization_id = e.organization_id and r.id = e.repayment_id and ${debtorOpenTo(actor, 'r')}) as repayment_id
        from (
          select entry.*, sum(case when entry.kind in (${sql.join(raisingKinds)}) then amount else -amount end)
            over (order by entry.id)::bigint as outstanding_amount
          from ledger_entries entry
          where entry.organization_id = ${invoice.organization_id} and entry.invoice_id = ${invoice.id}
        ) e where ${condition} order by ${order.whole} limit ${limit}`.execute(tx)
      return found.rows
    },
  })
  return { rows: rows.map(toEntry), next }
}

const toEntry = (row: Row): LedgerEntry =>
  answerOf(LedgerEntry, {
    ...row,
    actor: { id: row.actor_id, name: row.actor_name },
  })
