import { sql } from 'kysely'
import type { HistoryEvent } from '#contract/history.ts'
import type { AllocatedAmount } from '#contract/repayments.ts'
import type { Actor } from '#server/access/actor.ts'
import { debtorOpenTo, openTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'
import { numberPrefix } from '#server/tables/invoices.ts'

const named = new Set(['organizations', 'employers'])

/**
 * An event about an account manager without the names of companies, which may be closed to a colleague (docs/rules/access.md).
 */
export const withoutNames = <E extends HistoryEvent>(event: E): E => ({
  ...event,
  changes: event.changes.filter(({ field }) => !named.has(field)),
})

/** An event about an invoice without references to repayments, for a debtor that is not open. */
export const withoutReferences = <E extends HistoryEvent>(event: E): E => ({
  ...event,
  text: event.text?.replaceAll(/REP-\d+/g, 'a repayment') ?? null,
})

/** The ids of these invoices whose debtor is open to the person. */
export async function withOpenDebtor(tx: Tx, actor: Actor, invoices: readonly string[]): Promise<ReadonlySet<string>> {
  if (actor.kind === 'ADMIN' || invoices.length === 0) return new Set(invoices)
  const { rows } = await sql<{ id: string }>`select i.id::text as id from invoices i
    where i.id = any(${[...invoices]}::bigint[]) and ${debtorOpenTo(actor, 'i')}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** The allocations before or after a change. Events before 2026-11-29 have a text, which cannot be masked in parts. */
const allocated = (value: unknown): readonly AllocatedAmount[] => (Array.isArray(value) ? value : [])

const idOf = (number: string): number => Number(number.slice(numberPrefix.length))

/** Events about repayments without allocations to invoices that are not open to the person, as in the repayment itself. */
export async function withOpenAllocations<E extends HistoryEvent>(tx: Tx, actor: Actor, events: readonly E[]): Promise<E[]> {
  const parts = events.flatMap(({ changes }) => changes).filter(({ field }) => field === 'allocations')
  if (actor.kind === 'ADMIN' || parts.length === 0) return [...events]
  const ids = parts.flatMap(({ before, after }) => [...allocated(before), ...allocated(after)]).map(({ number }) => idOf(number))
  const { rows } = await sql<{ id: number }>`select i.id from invoices i
    where i.id = any(${ids}::bigint[]) and ${openTo(actor, sql.ref('i.employer_id'))}`.execute(tx)
  const open = new Set(rows.map(({ id }) => id))
  const onlyOpen = (value: unknown) => allocated(value).filter(({ number }) => open.has(idOf(number)))
  return events.map((event) => ({
    ...event,
    changes: event.changes.flatMap((change) => {
      if (change.field !== 'allocations') return [change]
      const [before, after] = [onlyOpen(change.before), onlyOpen(change.after)]
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ ...change, before, after }]
    }),
  }))
}
