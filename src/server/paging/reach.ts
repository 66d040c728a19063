import { type RawBuilder, sql } from 'kysely'
import { visibleEmployers } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Order } from '#server/paging/keyset.ts'

/** Pages of up to this many employers are merged from one index scan each; with more, one scan skips the others. */
const maxMerged = 200

/** The employers that the rows of a list may belong to, as a subquery with `employer_id`; null for all of them. */
export function reachOf(actor: Reader, filter: Readonly<Record<string, unknown>>): RawBuilder<unknown> | null {
  const visible = visibleEmployers(actor)
  const employers = filter['employer-id'] as number[] | undefined
  const organizations = filter['organization-id'] as number[] | undefined
  if (!visible && !employers && !organizations) return null
  return sql`(
    select id as employer_id from employers where true
    ${visible ? sql`and id in ${visible}` : sql``}
    ${employers ? sql`and id = any(${employers}::bigint[])` : sql``}
    ${organizations ? sql`and organization_id = any(${organizations}::bigint[])` : sql``}
  )`
}

/** Whether merging one index scan per employer is faster. */
export async function isFew(tx: Tx, reach: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${maxMerged} as few from (select 1 from ${reach} reach limit ${maxMerged + 1}) counted`.execute(tx)
  return rows[0]?.few ?? true
}

/** The source of a page: rows `e` of a table with `employer_id`, and `organization_id` unless they are users. */
export interface Choice {
  table: 'employees' | 'invoices' | 'users'
  reach: RawBuilder<unknown> | null
  /** See `isFew`. */
  merged: boolean
  filter: RawBuilder<boolean>
  /** No filter, no search, all employers: uses a prepared plan. */
  plain: boolean
  /** A search has indexes of its own, which are combined with the index on employers. */
  searching: boolean
  /** Few rows match the filter: all of them are found by it and then sorted, whatever order an index would give. */
  sparse?: boolean
}

/** The statement that selects the ids, with their organizations, and sort keys of one segment of a page (`find` of a scan). */
export function chosenFrom({ table, reach, merged, filter, plain, searching, sparse }: Choice) {
  return (condition: RawBuilder<boolean>, order: Order, limit: number): RawBuilder<unknown> => {
    const [organization, chosen] =
      table === 'users' ? [sql``, sql`chosen.id`] : [sql`, e.organization_id`, sql`chosen.id, chosen.organization_id`]
    const select = sql`select e.id ${organization}, ${order.key} as key from ${sql.table(table)} e where`
    if (plain) return sql`${prepared} ${select} ${condition} order by ${order.whole} limit ${sql.lit(limit)}`
    const inReach = reach ? sql`and ${within(reach, searching || Boolean(sparse))}` : sql``
    if (sparse && !merged)
      return sql`select ${chosen}, chosen.key from (${select} ${filter} and ${condition} ${inReach} offset 0) chosen
        order by ${order.merged} limit ${limit}`
    if (!reach) return sql`${select} ${filter} and ${condition} order by ${order.whole} limit ${limit}`
    if (!merged) return sql`${select} ${filter} and ${condition} ${inReach} order by ${order.whole} limit ${limit}`
    return sql`select ${chosen}, chosen.key from ${reach} reach cross join lateral (
      ${select} e.employer_id = reach.employer_id and ${filter} and ${condition} order by ${order.inner} limit ${limit}
    ) chosen order by ${order.merged} limit ${limit}`
  }
}

/** The reach as a condition; unless `searching`, written so that it cannot use an index, and the index of the order is used. */
const within = (reach: RawBuilder<unknown>, searching: boolean) =>
  sql`${searching ? sql`e.employer_id` : sql`(e.employer_id + 0)`} = any(array(select employer_id from ${reach} reach))`
