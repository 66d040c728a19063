import { type RawBuilder, sql } from 'kysely'
import { listWriteOffs } from '#contract/write-offs.ts'
import { openTo } from '#server/access/scope.ts'
import { amount, businessDay, choice, byDay, idIn, idIs, organizationIn } from '#server/tables/conditions.ts'
import { type Asking, defineList, every } from '#server/paging/define-list.ts'
import { literally, searchWords } from '#server/tables/employee-search.ts'
import { employersNamed } from '#server/tables/employers-named.ts'
import { readWriteOffs } from '#server/tables/write-offs.ts'

/** Write-offs, each with its invoice. */
export const writeOffList = defineList({
  endpoint: listWriteOffs,
  from: sql`write_offs e join invoices i on i.id = e.invoice_id and i.organization_id = e.organization_id`,
  ofOrganization: true,
  open: (actor) => openTo(actor, sql.ref('i.employer_id')),
  filters: {
    ...choice('status', sql.ref('e.status')),
    ...choice('reason', sql.ref('e.reason')),
    ...amount('amount', sql.ref('e.suggested_amount')),
    id: idIn(sql.ref('e.id')),
    'invoice-id': idIs(sql.ref('e.invoice_id')),
    'employer-id': idIn(sql.ref('i.employer_id')),
    'organization-id': organizationIn(sql.ref('i.employer_id')),
    ...byDay('suggested', businessDay(sql.ref('e.suggested_at'))),
    q: matching,
  },
  sorts: {
    id: null,
    status: sql.ref('e.status'),
    suggested_amount: sql.ref('e.suggested_amount'),
    suggested_at: sql.ref('e.suggested_at'),
  },
  totals: { suggested_amount: sql`sum(e.suggested_amount)`, approved_amount: sql`sum(e.approved_amount)` },
  read: ({ tx, actor }, chosen, order) => readWriteOffs(tx, actor, chosen, order),
})

/**
 * Whether every word is in the employee's name or names the employer or organization of the invoice, or the text is the number of
 * the invoice or of the write-off.
 */
async function matching(text: string, { tx }: Asking): Promise<RawBuilder<unknown>> {
  const number = /^(?:INV-|#)?(\d{1,15})$/i.exec(text)?.[1]
  const queryWords = searchWords(text)
  if (queryWords.length === 0) return sql`true`
  const named = number ? [] : await employersNamed(tx, queryWords)
  const each = queryWords.map((word, at) => {
    const ofEmployee = sql`employee.name_key like ${`%${literally(word)}%`}`
    return named[at]?.length ? sql`(${ofEmployee} or i.employer_id = any(${named[at]}::bigint[]))` : ofEmployee
  })
  const byName = sql`exists (select from invoice_lines line
    join employees employee on employee.id = line.employee_id and employee.organization_id = line.organization_id
    where line.id = e.line_id and line.organization_id = e.organization_id and ${every(each)})`
  return number ? sql`(${byName} or e.invoice_id = ${Number(number)} or e.id = ${Number(number)})` : byName
}
