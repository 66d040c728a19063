import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { countDeductions, listDeductions } from '#contract/deductions.ts'
import type { Count } from '#contract/list.ts'
import { openTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import { type DeductionRow, readDeductions } from '#server/tables/deductions.ts'
import { fold, literally } from '#server/tables/employee-search.ts'
import { type Position, type Stretch, walk } from '#server/tables/keyset.ts'

type Query = QueryOf<typeof listDeductions>
type Filter = QueryOf<typeof countDeductions>

/**
 * What a page is walked over: rows `e`. By report date these are the invoices, each of which has at most one deduction,
 * because their index has that order; else the deductions themselves.
 */
interface Ground {
  from: RawBuilder<unknown>
  deduction: 'e' | 'd'
  invoice: 'e' | 'i'
}
const byDeduction: Ground = {
  from: sql`deductions e join invoices i on i.id = e.invoice_id`,
  deduction: 'e',
  invoice: 'i',
}
const byInvoice: Ground = {
  from: sql`invoices e join deductions d on d.invoice_id = e.id`,
  deduction: 'd',
  invoice: 'e',
}

/** A page of deductions in the list's order, and where to go on from. */
export async function pageOfDeductions(
  tx: Tx,
  actor: Actor,
  query: Query,
  place: Position | null,
): Promise<{ rows: DeductionRow[]; next: Position | null }> {
  const ground = query.sort === 'report_date' ? byInvoice : byDeduction
  const filter = conditionOf(actor, query, await soughtBy(tx, query.q), ground)
  const key = query.sort === 'id' ? undefined : sql.ref(`e.${query.sort}`)
  const stretches: Stretch[] = [{ key, descending: query['sort-order'] === 'desc' }]
  const { rows, next } = await walk({
    stretches,
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      const chosen = sql`select ${sql.ref(`${ground.deduction}.id`)} as id, e.id as place, ${order.key} as key,
          row_number() over (order by ${order.whole}) as at
        from ${ground.from} where ${filter} and ${condition} order by ${order.whole} limit ${limit}`
      const read = await readDeductions(tx, chosen, sql`chosen.at`)
      return read.map((row) => ({ id: row.place, key: row.key, row }))
    },
  })
  return { rows: rows.map(({ row }) => row), next }
}

/** How many deductions a filter has. */
export async function countOfDeductions(tx: Tx, actor: Actor, filter: Filter): Promise<Count> {
  const condition = conditionOf(actor, filter, await soughtBy(tx, filter.q), byDeduction)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${byDeduction.from} where ${condition}`.execute(tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

function conditionOf(actor: Actor, filter: Filter, sought: Sought | null, { deduction, invoice }: Ground): RawBuilder<boolean> {
  const given = filter as Readonly<Record<string, unknown>>
  const d = (column: string) => sql.ref(`${deduction}.${column}`)
  const i = (column: string) => sql.ref(`${invoice}.${column}`)
  const conditions: RawBuilder<unknown>[] = [openTo(actor, i('employer_id'))]
  const add = (name: string, make: (value: never) => RawBuilder<unknown>) => {
    if (given[name] !== undefined && given[name] !== '') conditions.push(make(given[name] as never))
  }
  const waiting = (values: string[], yes: string, no: string) => {
    const has = sql`exists (select from write_offs w where w.invoice_id = ${i('id')} and w.status = 'PENDING')`
    if (values.includes(yes) && values.includes(no)) return sql`true`
    return values.includes(yes) ? has : sql`not ${has}`
  }
  add('status', (values: string[]) => sql`${d('status')} in (${sql.join(values)})`)
  add('status-not', (values: string[]) => sql`${d('status')} not in (${sql.join(values)})`)
  add('id', (ids: number[]) => sql`${d('id')} = any(${ids}::bigint[])`)
  add('invoice-id', (id: number) => sql`${i('id')} = ${id}`)
  add('employer-id', (ids: number[]) => sql`${i('employer_id')} = any(${ids}::bigint[])`)
  add(
    'organization-id',
    (ids: number[]) => sql`${i('employer_id')} in (select id from employers where organization_id = any(${ids}::bigint[]))`,
  )
  add('pending-write-offs', (values: string[]) => waiting(values, 'YES', 'NO'))
  add('pending-write-offs-not', (values: string[]) => (new Set(values).size > 1 ? sql`false` : waiting(values, 'NO', 'YES')))
  add('reported-from', (date: string) => sql`${i('report_date')} >= ${date}`)
  add('reported-to', (date: string) => sql`${i('report_date')} <= ${date}`)
  if (sought) conditions.push(matching(sought, d('id'), i('employer_id')))
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Rows of more employers than this are passed over in the list's order; those of fewer are found by employer, then sorted. */
const mostSorted = 50

/** What a search text stands for: the number of a deduction or of its invoice, and employers. */
interface Sought {
  number: number | null
  employers: number[]
}

/** Finds the employers that a search text names, all its words in their or their organization's name; null without a text. */
async function soughtBy(tx: Tx, text: unknown): Promise<Sought | null> {
  const words = fold(typeof text === 'string' ? text : '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return null
  const number = /^(?:inv |#)?(\d{1,15})$/.exec(words.join(' '))?.[1]
  const { rows } = await sql<{ id: number }>`
    select employer.id from employers employer join organizations organization on organization.id = employer.organization_id
    where ${sql.join(
      words.map((word) => sql`(employer.name_key || ' ' || organization.name_key) like ${`%${literally(word)}%`}`),
      sql` and `,
    )}`.execute(tx)
  return { number: number ? Number(number) : null, employers: rows.map((row) => row.id) }
}

/** A number finds what has that number alone; any other text finds what the employers that it names have. */
function matching({ number, employers }: Sought, id: RawBuilder<unknown>, employerId: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = employers.length > mostSorted ? sql`(${employerId} + 0)` : employerId
  if (number === null) return sql`${column} = any(${employers}::bigint[])`
  return sql`${id} in (select id from deductions where id = ${number} union all
    select id from deductions where invoice_id = ${number})`
}
