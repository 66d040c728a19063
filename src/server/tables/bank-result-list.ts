import { type RawBuilder, sql } from 'kysely'
import type { countBankResults, listBankResults } from '#contract/bank-results.ts'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import { openTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import { type BankResultRow, readBankResults, resultOpenTo } from '#server/tables/bank-results.ts'
import { fold, literally } from '#server/tables/employee-search.ts'
import { type Position, type Stretch, walk } from '#server/tables/keyset.ts'

type Query = QueryOf<typeof listBankResults>
type Filter = QueryOf<typeof countBankResults>

const from = sql`ach_results e left join repayments r on r.id = e.repayment_id`

/** A page of bank results in the list's order, and where to go on from. */
export async function pageOfBankResults(
  tx: Tx,
  actor: Actor,
  query: Query,
  place: Position | null,
): Promise<{ rows: BankResultRow[]; next: Position | null }> {
  const filter = conditionOf(actor, query)
  const key = query.sort === 'id' ? undefined : sql.ref(`e.${query.sort}`)
  const stretches: Stretch[] = [{ key, descending: query['sort-order'] === 'desc' }]
  return walk({
    stretches,
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) =>
      readBankResults(
        tx,
        actor,
        sql`select e.id, ${order.key} as key from ${from} where ${filter} and ${condition} order by ${order.whole} limit ${limit}`,
        order.merged,
      ),
  })
}

/** How many bank results a filter has. */
export async function countOfBankResults(tx: Tx, actor: Actor, filter: Filter): Promise<Count> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${from} where ${conditionOf(actor, filter)}`.execute(tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

function conditionOf(actor: Actor, filter: Filter): RawBuilder<boolean> {
  const given = filter as Readonly<Record<string, unknown>>
  const conditions: RawBuilder<unknown>[] = [sql`e.state <> 'WAITING'`, resultOpenTo(actor)]
  const add = (name: string, make: (value: never) => RawBuilder<unknown>) => {
    if (given[name] !== undefined && given[name] !== '') conditions.push(make(given[name] as never))
  }
  for (const name of ['state', 'problem']) {
    const column = sql.ref(`e.${name}`)
    add(name, (values: string[]) => sql`${column} in (${sql.join(values)})`)
    add(`${name}-not`, (values: string[]) => sql`(${column} in (${sql.join(values)})) is not true`)
  }
  add('id', (ids: number[]) => sql`e.id = any(${ids}::bigint[])`)
  add('repayment-id', (id: number) => sql`e.repayment_id = ${id}`)
  add('employer-id', (ids: number[]) => sql`(r.debtor_type = 'EMPLOYER' and r.debtor_id = any(${ids}::bigint[]))`)
  add(
    'organization-id',
    (ids: number[]) => sql`case r.debtor_type when 'ORGANIZATION' then r.debtor_id = any(${ids}::bigint[])
      else r.debtor_id in (select id from employers where organization_id = any(${ids}::bigint[])) end`,
  )
  add('effective-from', (date: string) => sql`e.effective_date >= ${date}`)
  add('effective-to', (date: string) => sql`e.effective_date <= ${date}`)
  add('q', (text: string) => matching(actor, text))
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** A trace number or its beginning, a return code, the number of a repayment or an invoice, or a part of the debtor's name. */
function matching(actor: Actor, text: string): RawBuilder<unknown> {
  const prefixed = /^(REP|INV|BNK)-?(\d{1,15})$/i.exec(text)
  const number = Number(prefixed?.[2])
  if (prefixed?.[1]?.toUpperCase() === 'REP') return sql`e.repayment_id = ${number}`
  if (prefixed?.[1]?.toUpperCase() === 'BNK') return sql`e.id = ${number}`
  if (prefixed)
    return sql`e.repayment_id in (select part.repayment_id from (
        select repayment_id, invoice_id from ach_debits union all select repayment_id, invoice_id from repayment_allocations
      ) part join invoices i on i.id = part.invoice_id
      where part.invoice_id = ${number} and ${openTo(actor, sql.ref('i.employer_id'))})`
  const name = `%${literally(fold(text))}%`
  return sql`(e.trace_number like ${`${literally(text)}%`} or e.code = ${text.toUpperCase()} or r.id in (
    select paid.id from repayments paid join (
      select 'EMPLOYER' as debtor_type, id from employers where name_key like ${name}
      union all select 'ORGANIZATION', id from organizations where name_key like ${name}
    ) named on named.debtor_type = paid.debtor_type and named.id = paid.debtor_id))`
}
