import { type RawBuilder, sql } from 'kysely'
import type { getRepaymentAmounts, listRepayments } from '#contract/repayments.ts'
import type { AnswerOf, QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import { openTo, debtorOpenTo } from '#server/access/scope.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { amount, choice, byDay, empty, idIn, idIs, oneOfTexts, yesOrNo } from '#server/tables/conditions.ts'
import { findAndRead } from '#server/paging/reread-page.ts'
import { type Asking, type Conditions, conditionsOf, every, type FilterOf, type List } from '#server/paging/define-list.ts'
import { fold, literally } from '#server/tables/employee-search.ts'
import type { Order, Position, Segment, Start } from '#server/paging/keyset.ts'
import { type RepaymentRow, readRepayments } from '#server/tables/repayments.ts'

type Query = QueryOf<typeof listRepayments>
/** The filters of the list, without order and page. */
export type RepaymentFilter = FilterOf<typeof listRepayments>

/** Pages of up to this many debtors are merged from one index scan each; with more, one scan skips the other debtors. */
const maxMerged = 200

/** A page of repayments in the list's order, and the cursor to continue from. */
async function page({ tx, actor }: Asking, query: Query, from: Start): Promise<{ rows: RepaymentRow[]; next: Position | null }> {
  const scope = scopeOf(actor, query)
  const filter = every(await conditionsOf(filters, query, { tx, actor }))
  const merged = scope !== null && (await isFew(tx, scope))
  const chosen = (condition: RawBuilder<boolean>, order: Order, limit: number): RawBuilder<unknown> => {
    const select = sql`select e.id, e.organization_id, ${order.key} as key from repayments e where`
    if (!scope) return sql`${select} ${filter} and ${condition} order by ${order.whole} limit ${limit}`
    if (!merged) return sql`${select} ${within(scope)} and ${filter} and ${condition} order by ${order.whole} limit ${limit}`
    return sql`select chosen.id, chosen.organization_id, chosen.key from ${scope} scope cross join lateral (
      ${select} e.debtor_type = scope.debtor_type and e.debtor_id = scope.debtor_id and ${filter} and ${condition}
      order by ${order.inner} limit ${limit}
    ) chosen order by ${order.merged} limit ${limit}`
  }
  return findAndRead(
    tx,
    { segments: [segmentOf(query)], from, direction: query.direction, limit: query.limit, choose: chosen },
    { from: sql`repayments e`, open: debtorOpenTo(actor, 'e') },
    (page, order) => readRepayments(tx, actor, page, order),
  )
}

function segmentOf(query: Pick<Query, 'sort' | 'sort-order'>): Segment {
  const descending = query['sort-order'] === 'desc'
  return query.sort === 'id' ? { descending } : { key: sql.ref(`e.${query.sort}`), descending }
}

const within = (scope: RawBuilder<unknown>) =>
  sql`(e.debtor_type, e.debtor_id) in (select debtor_type, debtor_id from ${scope} scope)`

/** The debtors that a page may come from, as a subquery with `debtor_type` and `debtor_id`; null for all. */
function scopeOf(actor: Reader, filter: RepaymentFilter): RawBuilder<unknown> | null {
  const { 'employer-id': employers, 'organization-id': organizations, 'debtor-id': debtor } = filter
  if (actor.kind === 'ADMIN' && !employers && !organizations && debtor === undefined) return null
  return sql`(
    select * from (
      select 'EMPLOYER'::text as debtor_type, id as debtor_id, id as employer_id, organization_id from employers
      union all
      select 'ORGANIZATION', id, null, id from organizations
    ) debtor where ${debtorOpenTo(actor, 'debtor')}
    ${employers ? sql`and employer_id = any(${employers}::bigint[])` : sql``}
    ${organizations ? sql`and organization_id = any(${organizations}::bigint[])` : sql``}
    ${debtor === undefined ? sql`` : sql`and debtor_id = ${debtor}`}
  )`
}

async function isFew(tx: Tx, scope: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${maxMerged} as few from (select 1 from ${scope} scope limit ${maxMerged + 1}) counted`.execute(tx)
  return rows[0]?.few ?? true
}

/** The conditions on repayments `e` of every filter other than those on debtors. */
const filters: Conditions<Omit<RepaymentFilter, 'employer-id' | 'organization-id' | 'debtor-id'>> = {
  ...choice('reconciliation-status', sql.ref('e.reconciliation_status')),
  ...choice('origin', sql.ref('e.origin')),
  ...choice('ach-state', sql.ref('e.ach_state')),
  ...empty('ach-state', sql.ref('e.ach_state')),
  ...choice('debtor-type', sql.ref('e.debtor_type')),
  ...amount('amount', sql.ref('e.amount')),
  ...yesOrNo('unallocated', sql`e.unallocated_amount > 0`),
  id: idIn(sql.ref('e.id')),
  'invoice-id': (id, { actor }) => sql`e.id in (${allocatedTo(actor, id)})`,
  'returns-id': idIs(sql.ref('e.returns_id')),
  ...byDay('paid', sql.ref('e.repayment_date')),
  ...oneOfTexts('department-code', sql.ref('e.department_code')),
  ...empty('department-code', sql.ref('e.department_code')),
  'department-code': (text) => sql`e.department_code ilike ${`%${literally(text)}%`}`,
  q: (text, { tx, actor }) => matches(tx, actor, text),
  query: (text, { tx, actor }) => matches(tx, actor, text),
}

/**
 * The repayments allocated to an invoice, and those that were until they came back in full: these have only the allocation of
 * their return. None if the invoice is not open to the person.
 */
const allocatedTo = (actor: Reader, invoice: number) => sql`
  select unnest(array[a.repayment_id, r.returns_id]) from repayment_allocations a
  join repayments r on r.id = a.repayment_id and r.organization_id = a.organization_id
  join invoices i on i.id = a.invoice_id and i.organization_id = a.organization_id
  where a.invoice_id = ${invoice} and ${openTo(actor, sql.ref('i.employer_id'))}`

/**
 * Matches a reference (`REP-70001`, or its number), an allocated invoice, part of the bank's text, or part of a debtor's name.
 * Searches that match few rows are looked up first, so that they do not scan the whole list; a name that many debtors have finds
 * rows soon enough in a scan.
 */
async function matches(tx: Tx, actor: Reader, q: string): Promise<RawBuilder<unknown>> {
  const reference = /^(?:(REP|INV)-?)?(\d{1,15})$/i.exec(q.trim())
  const number = Number(reference?.[2])
  const prefix = reference?.[1]?.toUpperCase()
  if (prefix === 'INV') return sql`e.id in (${allocatedTo(actor, number)})`
  if (prefix === 'REP') return sql`e.id = ${number}`
  const text = `%${literally(q.trim())}%`
  const name = `%${literally(fold(q.trim()))}%`
  const named = sql`(select 'EMPLOYER'::text as debtor_type, id as debtor_id from employers where name_key like ${name}
    union all select 'ORGANIZATION', id from organizations where name_key like ${name})`
  const byDescriptor = sql`select id from repayments where descriptor ilike ${text}
    union all select id from repayments where ach_addenda ilike ${text}
    ${reference ? sql`union all select ${number}::bigint` : sql``}`
  if (!(await isFew(tx, named)))
    return sql`((e.debtor_type, e.debtor_id) in (select debtor_type, debtor_id from ${named} named) or e.id in (${byDescriptor}))`
  return sql`e.id = any(array(${byDescriptor} union all select named_one.id from ${named} named
    join repayments named_one on named_one.debtor_type = named.debtor_type and named_one.debtor_id = named.debtor_id))`
}

async function chosenBy(tx: Tx, actor: Actor, filter: RepaymentFilter): Promise<RawBuilder<unknown>> {
  const scope = scopeOf(actor, filter)
  return sql`from repayments e where ${every(await conditionsOf(filters, filter, { tx, actor }))} ${scope ? sql`and ${within(scope)}` : sql``}`
}

type RepaymentCount = Count & { totals: Record<'amount' | 'unallocated_amount', number> }

/** The number of repayments that match a filter, and the plain sums of their amounts; cents. */
async function count({ tx, actor }: Asking, filter: RepaymentFilter): Promise<RepaymentCount> {
  const { rows } = await sql<{ count: number } & RepaymentCount['totals']>`
    select count(*)::int as count, coalesce(sum(e.amount), 0)::bigint as amount,
      coalesce(sum(e.unallocated_amount), 0)::bigint as unallocated_amount
    ${await chosenBy(tx, actor, filter)}`.execute(tx)
  const { count, ...totals } = rows[0] as (typeof rows)[number]
  return { count, exact: true, totals }
}

type Amounts = AnswerOf<typeof getRepaymentAmounts>

/**
 * The total amounts of the repayments that match a filter, in cents; the contract defines each figure. A return counts as the
 * repayment it returns does, so that money that never settled is nowhere reconciled; a return that was taken back does not count.
 */
export async function amountsOfRepayments(tx: Tx, actor: Actor, filter: RepaymentFilter): Promise<Amounts> {
  const { rows } = await sql<Amounts>`
    select coalesce(sum(amount), 0)::bigint as total_amount,
      coalesce(sum(amount) filter (where reconciliation_status = 'RECONCILED'), 0)::bigint as reconciled_amount,
      coalesce(sum(amount) filter (where reconciliation_status = 'PENDING'), 0)::bigint as pending_amount,
      coalesce(sum(amount) filter (where reconciliation_status = 'FAILED'), 0)::bigint as failed_amount,
      coalesce(sum(unallocated_amount) filter (where unallocated_amount > 0), 0)::bigint as unallocated_amount,
      coalesce(-sum(amount) filter (where returns_id is not null), 0)::bigint as returned_amount
    ${await chosenBy(tx, actor, filter)} and coalesce(e.failure, '') not in ('TAKEN_BACK', 'DISHONORED', 'CONTESTED')`.execute(tx)
  return rows[0] as Amounts
}

/** The list of repayments. */
export const repaymentList = { page, count } satisfies List<typeof listRepayments, RepaymentRow>
