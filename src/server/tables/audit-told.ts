import { sql } from 'kysely'
import type { HistoryEvent } from '#contract/history.ts'
import type { Actor } from '#server/access/actor.ts'
import { debtorOpenTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'

const named = new Set(['organizations', 'employers'])

/** An event about an account manager without the names of companies, which may be nothing to a colleague (D242). */
export const withoutNames = <E extends HistoryEvent>(event: E): E => ({
  ...event,
  changes: event.changes.filter(({ field }) => !named.has(field)),
})

/** An event about an invoice without the repayments of a debtor that is not open. */
export const withoutReferences = <E extends HistoryEvent>(event: E): E => ({
  ...event,
  text: event.text?.replaceAll(/REP-\d+/g, 'a repayment') ?? null,
})

/** Which of these invoices have a debtor that is open to the person. */
export async function withOpenDebtor(tx: Tx, actor: Actor, invoices: readonly string[]): Promise<ReadonlySet<string>> {
  if (actor.kind === 'ADMIN' || invoices.length === 0) return new Set(invoices)
  const { rows } = await sql<{ id: string }>`select i.id::text as id from invoices i
    where i.id = any(${[...invoices]}::bigint[]) and ${debtorOpenTo(actor, 'i')}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
