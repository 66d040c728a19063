import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { countInvoices, listInvoices } from '#contract/invoices.ts'
import type { Actor, Tx } from '#server/route.ts'
import { strandedRefund } from '#server/tables/credits.ts'
import { companyContains, invoiceSearch, numberContains } from '#server/tables/invoice-search.ts'
import { estimate } from '#server/tables/estimate.ts'
import { hasDerived, inStates } from '#server/tables/invoice-states.ts'
import { type InvoiceRow, readInvoices } from '#server/tables/invoices.ts'
import { type Position, type Stretch, walk } from '#server/tables/keyset.ts'
import { chosenFrom, isFew, reachOf } from '#server/tables/reach.ts'

/** The filters of the list, without order and page. */
export type InvoiceFilter = QueryOf<typeof countInvoices>
/** The order of the list. */
export type InvoiceOrder = Pick<QueryOf<typeof listInvoices>, 'sort' | 'sort-order'>
type Reader = Pick<Actor, 'id' | 'kind'>

const table = sql`invoices`

/**
 * Rows that are found by their filter and then sorted. Status and dates go with the id, which the planner does not
 * know: in the order of the ids it would pass over all of the past to find what is open now.
 */
const fewRows = 30_000
/** Planner's units: what finding them may cost. */
const cheap = 10_000

/** A page of invoices in the list's order, by cursor, and where to go on from. */
export async function pageOfInvoices(
  tx: Tx,
  actor: Reader,
  query: InvoiceFilter & InvoiceOrder & { limit: number; direction: 'after' | 'before' },
  from: Position | null,
): Promise<{ rows: InvoiceRow[]; next: Position | null }> {
  const reach = reachOf(actor, query)
  const filter = conditionsOf(query)
  const merged = reach !== null && !query.q && (await isFew(tx, reach))
  const chosen = chosenFrom({
    table,
    reach,
    merged,
    filter: filter ?? sql<boolean>`true`,
    plain: reach === null && !query.q && filter === null,
    searching: Boolean(query.q),
    sparse: !query.q && !merged && (await isSparse(tx, actor, query)),
  })
  return walk({
    stretches: await stretchesOf(tx, query),
    from,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) => readInvoices(tx, chosen(condition, order, limit), order.merged),
  })
}

/** A page of invoices by its number, counted from 0, and how many invoices there are in all; both exact. */
export async function numberedPage(
  tx: Tx,
  actor: Reader,
  query: InvoiceFilter & InvoiceOrder,
  page: number,
  pageSize: number,
): Promise<{ rows: InvoiceRow[]; count: number }> {
  const search = query.q ? await invoiceSearch(tx, query.q) : null
  const way = query['sort-order'] === 'desc' ? sql`desc` : sql`asc`
  const first = search?.id && query.sort === 'id' && query['sort-order'] === 'asc' ? sql`(e.id <> ${search.id}), ` : sql``
  const order = query.sort === 'id' ? sql`${first}e.id ${way}` : sql`${sql.ref(`e.${query.sort}`)} ${way}, e.id ${way}`
  const from = sql`from invoices e where ${wholeFilter(actor, query, search?.matches)}`
  const counted = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(tx)
  const count = counted.rows[0]?.count ?? 0
  const fence = count < fewRows ? sql`offset 0` : sql``
  const rows = await readInvoices(
    tx,
    sql`select e.id, row_number() over (order by ${order}) as key from (select e.* ${from} ${fence}) e order by ${order}
      limit ${pageSize} offset ${page * pageSize}`,
    sql`chosen.key`,
  )
  return { rows, count }
}

/**
 * Whether the filter finds few rows through an index. Derived states are left out of the question: they have indexes
 * in the list's orders, and the planner expects far too few of them.
 */
async function isSparse(tx: Tx, actor: Reader, filter: InvoiceFilter): Promise<boolean> {
  const judged = withoutDerived(filter)
  if (conditionsOf(judged) === null) return false
  const { rows, cost } = await estimate(tx, sql`select 1 from invoices e where ${wholeFilter(actor, judged, undefined)}`)
  return rows < fewRows && cost < cheap
}

const withoutDerived = (filter: InvoiceFilter): InvoiceFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name, value]) => !(name.startsWith('status') && hasDerived(value))))

/** How many invoices a filter has, and what they come to; cents. */
export async function totalsOfInvoices(tx: Tx, actor: Reader, filter: InvoiceFilter) {
  const search = filter.q ? await invoiceSearch(tx, filter.q) : null
  const { rows } = await sql<{ count: number; invoice_amount: number; paid_amount: number; outstanding_amount: number }>`
    select count(*)::int as count, coalesce(sum(e.invoice_amount), 0)::bigint as invoice_amount,
      coalesce(sum(e.paid_amount), 0)::bigint as paid_amount,
      coalesce(sum(e.outstanding_amount), 0)::bigint as outstanding_amount
    from invoices e where ${wholeFilter(actor, filter, search?.matches)}`.execute(tx)
  const { count, ...totals } = rows[0] as (typeof rows)[number]
  return { count, exact: true, totals }
}

/** Filter, search and reach as one condition. */
function wholeFilter(actor: Reader, filter: InvoiceFilter, matches: RawBuilder<boolean> | undefined): RawBuilder<boolean> {
  const reach = reachOf(actor, filter)
  return sql<boolean>`${conditionsOf(filter) ?? sql`true`} ${matches ? sql`and ${matches}` : sql``}
    ${reach ? sql`and e.employer_id in (select employer_id from ${reach} reach)` : sql``}`
}

/** The order of the list as stretches: in the order by id, the invoice that a search names comes first. */
async function stretchesOf(tx: Tx, query: InvoiceFilter & InvoiceOrder): Promise<Stretch[]> {
  const descending = query['sort-order'] === 'desc'
  const key = query.sort === 'id' ? undefined : sql.ref(`e.${query.sort}`)
  if (!query.q) return [{ key, descending }]
  const { matches, id } = await invoiceSearch(tx, query.q)
  if (id === null || key || descending) return [{ where: matches, key, descending }]
  return [{ where: sql<boolean>`(${matches} and e.id = ${id})` }, { where: sql<boolean>`(${matches} and e.id <> ${id})` }]
}

/** Every filter but search and reach as one condition on invoices `e`; null without one. */
function conditionsOf(filter: InvoiceFilter): RawBuilder<boolean> | null {
  const given = filter as Readonly<Record<string, unknown>>
  const conditions: RawBuilder<unknown>[] = []
  const add = (name: string, make: (value: never) => RawBuilder<unknown>) => {
    if (given[name] !== undefined) conditions.push(make(given[name] as never))
  }
  add('id', (ids: number[]) => sql`e.id = any(${ids}::bigint[])`)
  add('status', inStates)
  add('status-not', (values: never[]) => sql`not ${inStates(values)}`)
  add('payment-method', (values: string[]) => sql`e.payment_method in (${sql.join(values)})`)
  add('payment-method-not', (values: string[]) => sql`e.payment_method not in (${sql.join(values)})`)
  for (const [name, condition] of Object.entries(yesOrNo)) {
    add(name, (values: string[]) => asked(values, condition))
    add(`${name}-not`, (values: string[]) => sql`not ${asked(values, condition)}`)
  }
  add('number', numberContains)
  add('company-code', companyContains)
  add('debtor-type', (type: string) => sql`e.debtor_type = ${type}`)
  add('debtor-id', (id: number) => sql`e.debtor_id = ${id}`)
  for (const [name, column] of Object.entries({ issued: 'issue_date', reported: 'report_date', due: 'due_date' })) {
    add(`${name}-from`, (date: string) => sql`${sql.ref(`e.${column}`)} >= ${date}::date`)
    add(`${name}-to`, (date: string) => sql`${sql.ref(`e.${column}`)} <= ${date}::date`)
  }
  return conditions.length === 0 ? null : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const yesOrNo = {
  notes: sql`e.has_notes`,
  'pending-write-offs': sql`e.id in (select invoice_id from write_offs where status = 'PENDING')`,
  'stranded-refund': strandedRefund,
  'debtor-flagged': sql`(e.debtor_type, e.debtor_id) in (select debtor_type, debtor_id from debtor_flags where resolved_at is null)`,
}

const asked = (values: readonly string[], condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  new Set(values).size > 1 ? sql`(true)` : values[0] === 'YES' ? sql`(${condition})` : sql`(not (${condition}))`
