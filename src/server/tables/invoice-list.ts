import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { countInvoices, listInvoices } from '#contract/invoices.ts'
import { debtorOpenTo, openTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneOfTexts, amount, choice, byDay, idIn, idIs, yesOrNo } from '#server/tables/conditions.ts'
import { strandedRefund } from '#server/tables/credits.ts'
import { debitWithoutAccount } from '#server/tables/debit-accounts.ts'
import { findAndRead } from '#server/paging/reread-page.ts'
import { type Asking, type Conditions, conditionsOf, every } from '#server/paging/define-list.ts'
import { companyContains, invoiceSearch, numberContains } from '#server/tables/invoice-search.ts'
import { estimate } from '#server/paging/estimate.ts'
import { hasDerived, inStates } from '#server/tables/invoice-states.ts'
import { type InvoiceRow, readInvoices } from '#server/tables/invoices.ts'
import type { Position, Segment, Start } from '#server/paging/keyset.ts'
import { chosenFrom, isFew, reachOf } from '#server/paging/reach.ts'

/** The filters of the list, without order and page. */
export type InvoiceFilter = QueryOf<typeof countInvoices>
/** The order of the list. */
export type InvoiceOrder = Pick<QueryOf<typeof listInvoices>, 'sort' | 'sort-order'>

const table = 'invoices'

/**
 * Maximum number of rows that are found by the filter and then sorted. Status and dates correlate with the id, which the planner
 * does not know: in the order of the ids it would scan all of the past to find what is open now.
 */
const fewRows = 30_000
/** Maximum cost of finding them, in planner units. */
const cheap = 10_000

/** A page of invoices in the list's order, by cursor, and the cursor to continue from. */
export async function pageOfInvoices(
  tx: Tx,
  actor: Actor,
  query: InvoiceFilter & InvoiceOrder & { limit: number; direction: 'after' | 'before' },
  from: Start,
): Promise<{ rows: InvoiceRow[]; next: Position | null }> {
  const reach = reachOf(actor, query)
  const filter = await conditionOf({ tx, actor }, query)
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
  return findAndRead(
    tx,
    { segments: await segmentsOf(tx, query), from, direction: query.direction, limit: query.limit, choose: chosen },
    { from: sql`invoices e`, open: openTo(actor, sql.ref('e.employer_id')) },
    (page, order) => readInvoices(tx, actor, page, order),
  )
}

/** A page of invoices by page number, counted from 0, and the total number of invoices; both exact. */
export async function numberedPage(
  tx: Tx,
  actor: Actor,
  query: InvoiceFilter & InvoiceOrder,
  page: number,
  pageSize: number,
): Promise<{ rows: InvoiceRow[]; count: number }> {
  const search = query.q ? await invoiceSearch(tx, query.q) : null
  const sortDirection = query['sort-order'] === 'desc' ? sql`desc` : sql`asc`
  const first = search?.id && query.sort === 'id' ? sql`(e.id <> ${search.id}), ` : sql``
  const order =
    query.sort === 'id'
      ? sql`${first}e.id ${sortDirection}`
      : sql`${sql.ref(`e.${query.sort}`)} ${sortDirection}, e.id ${sortDirection}`
  const from = sql`from invoices e where ${await wholeFilter({ tx, actor }, query, search?.matches)}`
  const counted = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(tx)
  const count = counted.rows[0]?.count ?? 0
  const fence = count < fewRows ? sql`offset 0` : sql``
  const rows = await readInvoices(
    tx,
    actor,
    sql`select e.id, e.organization_id, row_number() over (order by ${order}) as key from (select e.* ${from} ${fence}) e order by ${order}
      limit ${pageSize} offset ${page * pageSize}`,
    sql`chosen.key`,
  )
  return { rows, count }
}

/**
 * Whether the filter finds few rows through an index. Derived states are left out: they have indexes in the list's orders, and
 * the planner greatly underestimates their rows.
 */
async function isSparse(tx: Tx, actor: Actor, filter: InvoiceFilter): Promise<boolean> {
  const validated = withoutDerived(filter)
  if ((await conditionOf({ tx, actor }, validated)) === null) return false
  const { rows, cost } = await estimate(
    tx,
    sql`select 1 from invoices e where ${await wholeFilter({ tx, actor }, validated, undefined)}`,
  )
  return rows < fewRows && cost < cheap
}

const withoutDerived = (filter: InvoiceFilter): InvoiceFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name, value]) => !(name.startsWith('status') && hasDerived(value))))

/** The amounts that are summed over all invoices of a filter. */
const invoiceTotals = [
  'original_amount',
  'writeoff_amount',
  'rollover_amount',
  'rollover_out_amount',
  'invoice_amount',
  'paid_amount',
  'outstanding_amount',
] as const

/** The number of invoices that match a filter, and their total amounts; cents. */
export async function totalsOfInvoices(tx: Tx, actor: Actor, filter: InvoiceFilter) {
  const search = filter.q ? await invoiceSearch(tx, filter.q) : null
  const sums = invoiceTotals.map((name) => sql`coalesce(sum(${sql.ref(`e.${name}`)}), 0)::bigint as ${sql.ref(name)}`)
  const { rows } = await sql<{ count: number } & Record<(typeof invoiceTotals)[number], number>>`
    select count(*)::int as count, ${sql.join(sums)}
    from invoices e where ${await wholeFilter({ tx, actor }, filter, search?.matches)}`.execute(tx)
  const { count, ...totals } = rows[0] as (typeof rows)[number]
  return { count, exact: true, totals }
}

/** Filter, search and reach as one condition. */
async function wholeFilter(
  asking: Asking,
  filter: InvoiceFilter,
  matches: RawBuilder<boolean> | undefined,
): Promise<RawBuilder<boolean>> {
  const reach = reachOf(asking.actor, filter)
  return sql<boolean>`${(await conditionOf(asking, filter)) ?? sql`true`} ${matches ? sql`and ${matches}` : sql``}
    ${reach ? sql`and e.employer_id in (select employer_id from ${reach} reach)` : sql``}`
}

/** The order of the list as segments: sorted by id, an invoice whose number is searched comes first. */
async function segmentsOf(tx: Tx, query: InvoiceFilter & InvoiceOrder): Promise<Segment[]> {
  const descending = query['sort-order'] === 'desc'
  const key = query.sort === 'id' ? undefined : sql.ref(`e.${query.sort}`)
  if (!query.q) return [{ key, descending }]
  const { matches, id } = await invoiceSearch(tx, query.q)
  if (id === null || key) return [{ where: matches, key, descending }]
  return [
    { where: sql<boolean>`(${matches} and e.id = ${id})` },
    { where: sql<boolean>`(${matches} and e.id <> ${id})`, descending },
  ]
}

/** The conditions on invoices `e` of every filter other than the search and companies. */
const filters: Conditions<Omit<InvoiceFilter, 'q' | 'employer-id' | 'organization-id'>> = {
  id: idIn(sql.ref('e.id')),
  status: (values) => inStates(values as never),
  'status-not': (values) => sql`not ${inStates(values as never)}`,
  ...choice('payment-method', sql.ref('e.payment_method')),
  ...amount('outstanding', sql.ref('e.outstanding_amount')),
  ...amount('amount', sql.ref('e.invoice_amount')),
  ...yesOrNo('notes', sql`e.has_notes`),
  ...yesOrNo('pending-write-offs', sql`e.id in (select invoice_id from write_offs where status = 'PENDING')`),
  // Facts that depend on other invoices of the debtor are shown only where the debtor itself is open.
  ...yesOrNo('stranded-refund', ({ actor }) => sql`${strandedRefund} and ${debtorOpenTo(actor, 'e')}`),
  ...yesOrNo('debit-without-account', ({ actor }) => sql`${debitWithoutAccount} and ${debtorOpenTo(actor, 'e')}`),
  ...yesOrNo(
    'debtor-flagged',
    ({ actor }) => sql`(e.debtor_type, e.debtor_id) in (select debtor_type, debtor_id from debtor_flags where resolved_at is null)
      and ${debtorOpenTo(actor, 'e')}`,
  ),
  number: numberContains,
  'company-code': companyContains,
  ...oneOfTexts('company-code', sql.ref('e.company_code')),
  'debtor-type': (type) => sql`e.debtor_type = ${type}`,
  'debtor-id': idIs(sql.ref('e.debtor_id')),
  ...byDay('issued', sql.ref('e.issue_date')),
  ...byDay('reported', sql.ref('e.report_date')),
  ...byDay('due', sql.ref('e.due_date')),
}

/** The filters that are set, without search and companies, as one condition; null without one. */
async function conditionOf(asking: Asking, filter: InvoiceFilter): Promise<RawBuilder<boolean> | null> {
  const set = await conditionsOf(filters, filter, asking)
  return set.length === 0 ? null : every(set)
}
