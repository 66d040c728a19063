import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import type { countWriteOffs, listWriteOffs } from '#contract/write-offs.ts'
import { openTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import { fold, literally } from '#server/tables/employee-search.ts'
import { type Position, type Stretch, walk } from '#server/tables/keyset.ts'
import { type WriteOffRow, readWriteOffs } from '#server/tables/write-offs.ts'

type Query = QueryOf<typeof listWriteOffs>
type Filter = QueryOf<typeof countWriteOffs>

const from = sql`write_offs e join invoices i on i.id = e.invoice_id`

/** A page of write-offs in the list's order, and where to go on from. */
export async function pageOfWriteOffs(
  tx: Tx,
  actor: Actor,
  query: Query,
  place: Position | null,
): Promise<{ rows: WriteOffRow[]; next: Position | null }> {
  const filter = conditionOf(actor, query)
  const key = query.sort === 'id' ? undefined : sql.ref(`e.${query.sort}`)
  const stretches: Stretch[] = [{ key, descending: query['sort-order'] === 'desc' }]
  return walk({
    stretches,
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) =>
      readWriteOffs(
        tx,
        actor,
        sql`select e.id, ${order.key} as key from ${from} where ${filter} and ${condition} order by ${order.whole} limit ${limit}`,
        order.merged,
      ),
  })
}

/** How many write-offs a filter has. */
export async function countOfWriteOffs(tx: Tx, actor: Actor, filter: Filter): Promise<Count> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${from} where ${conditionOf(actor, filter)}`.execute(tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

function conditionOf(actor: Actor, filter: Filter): RawBuilder<boolean> {
  const given = filter as Readonly<Record<string, unknown>>
  const conditions: RawBuilder<unknown>[] = [openTo(actor, sql.ref('i.employer_id'))]
  const add = (name: string, make: (value: never) => RawBuilder<unknown>) => {
    if (given[name] !== undefined && given[name] !== '') conditions.push(make(given[name] as never))
  }
  for (const [param, column] of [
    ['status', 'e.status'],
    ['reason', 'e.reason'],
  ] as const) {
    add(param, (values: string[]) => sql`${sql.ref(column)} in (${sql.join(values)})`)
    add(`${param}-not`, (values: string[]) => sql`${sql.ref(column)} not in (${sql.join(values)})`)
  }
  add('id', (ids: number[]) => sql`e.id = any(${ids}::bigint[])`)
  add('invoice-id', (id: number) => sql`e.invoice_id = ${id}`)
  add('employer-id', (ids: number[]) => sql`i.employer_id = any(${ids}::bigint[])`)
  add(
    'organization-id',
    (ids: number[]) => sql`i.employer_id in (select id from employers where organization_id = any(${ids}::bigint[]))`,
  )
  add('suggested-from', (date: string) => sql`${suggestedOn} >= ${date}`)
  add('suggested-to', (date: string) => sql`${suggestedOn} <= ${date}`)
  add('q', (text: string) => matching(text))
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The day of a suggestion in the business time zone. */
const suggestedOn = sql`(e.suggested_at at time zone
  coalesce(nullif(current_setting('portal.business_time_zone', true), ''), 'America/New_York'))::date`

/** Every word is in the employee's name, or the text is the number of the invoice or of the write-off. */
function matching(text: string): RawBuilder<unknown> {
  const number = /^(?:INV-|#)?(\d{1,15})$/i.exec(text)?.[1]
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return sql`true`
  const named = sql`exists (select from invoice_lines line join employees employee on employee.id = line.employee_id
    where line.id = e.line_id and ${sql.join(
      words.map((word) => sql`employee.name_key like ${`%${literally(word)}%`}`),
      sql` and `,
    )})`
  return number ? sql`(${named} or e.invoice_id = ${Number(number)} or e.id = ${Number(number)})` : named
}
