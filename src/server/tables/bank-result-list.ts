import { type RawBuilder, sql } from 'kysely'
import { listBankResults } from '#contract/bank-results.ts'
import { codesOfFamily } from '#domain/ach-codes.ts'
import { openTo } from '#server/access/scope.ts'
import { readBankResults, resultOpenTo } from '#server/tables/bank-results.ts'
import { choice, byDay, empty, idIn, idIs, oneOf } from '#server/tables/conditions.ts'
import { type Asking, defineList } from '#server/paging/define-list.ts'
import { fold, literally } from '#server/tables/employee-search.ts'

/** Bank results on debits, except those that wait for their effective date. */
export const bankResultList = defineList({
  endpoint: listBankResults,
  from: sql`ach_results e left join repayments r on r.id = e.repayment_id`,
  open: (actor) => sql`e.state <> 'WAITING' and ${resultOpenTo(actor)}`,
  filters: {
    ...choice('state', sql.ref('e.state')),
    ...choice('problem', sql.ref('e.problem')),
    ...empty('problem', sql.ref('e.problem')),
    id: idIn(sql.ref('e.id')),
    'repayment-id': idIs(sql.ref('e.repayment_id')),
    'employer-id': (ids) => sql`(r.debtor_type = 'EMPLOYER' and r.debtor_id = any(${ids}::bigint[]))`,
    'organization-id': (ids) => sql`case r.debtor_type when 'ORGANIZATION' then r.debtor_id = any(${ids}::bigint[])
      else r.debtor_id in (select id from employers where organization_id = any(${ids}::bigint[])) end`,
    ...byDay('effective', sql.ref('e.effective_date')),
    q: matching,
  },
  sorts: {
    id: null,
    effective_date: sql.ref('e.effective_date'),
    amount: sql.ref('e.amount'),
    state: sql.ref('e.state'),
  },
  totals: {
    amount: sql`sum(e.amount) filter (where not ${oneOf(sql.ref('e.code'))(codesOfFamily('NOTICE'))})`,
    debited_amount: sql`sum(r.amount)`,
  },
  read: ({ tx, actor }, chosen, order) => readBankResults(tx, actor, chosen, order),
})

/** A trace number or its beginning, a return code, the number of a repayment or an invoice, or a part of the debtor's name. */
function matching(text: string, { actor }: Asking): RawBuilder<unknown> {
  const prefixed = /^(REP|INV|BNK)-?(\d{1,15})$/i.exec(text)
  const number = Number(prefixed?.[2])
  if (prefixed?.[1]?.toUpperCase() === 'REP') return sql`e.repayment_id = ${number}`
  if (prefixed?.[1]?.toUpperCase() === 'BNK') return sql`e.id = ${number}`
  if (prefixed)
    return sql`e.repayment_id in (select part.repayment_id from (
        select organization_id, repayment_id, invoice_id from ach_debits
        union all select organization_id, repayment_id, invoice_id from repayment_allocations
      ) part join invoices i on i.id = part.invoice_id and i.organization_id = part.organization_id
      where part.invoice_id = ${number} and ${openTo(actor, sql.ref('i.employer_id'))})`
  const name = `%${literally(fold(text))}%`
  return sql`(e.trace_number like ${`${literally(text)}%`} or e.code = ${text.toUpperCase()} or r.id in (
    select paid.id from repayments paid join (
      select 'EMPLOYER' as debtor_type, id from employers where name_key like ${name}
      union all select 'ORGANIZATION', id from organizations where name_key like ${name}
    ) named on named.debtor_type = paid.debtor_type and named.id = paid.debtor_id))`
}
