import { type RawBuilder, sql } from 'kysely'
import { listDeductions } from '#contract/deductions.ts'
import { openTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'
import { choice, byDay, idIn, idIs, organizationIn, words, yesOrNo } from '#server/tables/conditions.ts'
import { readDeductions } from '#server/tables/deductions.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { fold } from '#server/tables/employee-search.ts'

/** The table that a page is scanned over, as rows `e`, and the alias of the other one. */
interface ScanSource {
  from: RawBuilder<unknown>
  deduction: 'e' | 'd'
  invoice: 'e' | 'i'
}

const listOver = ({ from, deduction, invoice }: ScanSource) => {
  const d = (column: string) => sql.ref(`${deduction}.${column}`)
  const i = (column: string) => sql.ref(`${invoice}.${column}`)
  return defineList({
    endpoint: listDeductions,
    from,
    id: d('id'),
    ofOrganization: true,
    open: (actor) => openTo(actor, i('employer_id')),
    filters: {
      ...choice('status', d('status')),
      ...yesOrNo(
        'pending-write-offs',
        sql`exists (select from write_offs w where w.organization_id = e.organization_id and w.invoice_id = ${i('id')} and w.status = 'PENDING')`,
      ),
      id: idIn(d('id')),
      'invoice-id': idIs(i('id')),
      'employer-id': idIn(i('employer_id')),
      'organization-id': organizationIn(i('employer_id')),
      ...byDay('reported', i('report_date')),
      q: (text, { tx }) => matching(tx, text, d('id'), i('employer_id')),
    },
    sorts: { id: null, status: d('status'), report_date: i('report_date') },
    totals: { amount: sql`sum(${i('original_amount')} - ${i('writeoff_amount')})` },
    read: ({ tx }, chosen, order) => readDeductions(tx, chosen, order),
  })
}

const byDeduction = listOver({
  from: sql`deductions e join invoices i on i.id = e.invoice_id and i.organization_id = e.organization_id`,
  deduction: 'e',
  invoice: 'i',
})
const byInvoice = listOver({
  from: sql`invoices e join deductions d on d.invoice_id = e.id and d.organization_id = e.organization_id`,
  deduction: 'd',
  invoice: 'e',
})

/**
 * Deductions. Sorted by report date, a page is scanned over the invoices, each of which has at most one deduction, because their
 * index has that order; otherwise over the deductions themselves.
 */
export const deductionList: Pick<typeof byDeduction, 'page' | 'count'> = {
  page: (asking, query, from) => (query.sort === 'report_date' ? byInvoice : byDeduction).page(asking, query, from),
  count: byDeduction.count,
}

/**
 * With more employers than this the list is scanned in order, skipping others; with fewer, rows are found by employer, then
 * sorted.
 */
const maxSorted = 50

/**
 * A number matches the invoice with exactly that number; other text matches employers by their own and their organization's name.
 */
async function matching(tx: Tx, text: string, id: RawBuilder<unknown>, employerId: RawBuilder<unknown>) {
  const named = words(sql`(employer.name_key || ' ' || organization.name_key)`, text)
  if (named.length === 0) return sql`true`
  const number = /^(?:inv\s+|#)?(\d{1,15})$/.exec(fold(text).trim())?.[1]
  if (number)
    return sql`${id} in (select id from deductions where id = ${Number(number)} union all
      select id from deductions where invoice_id = ${Number(number)})`
  const { rows } = await sql<{ id: number }>`
    select employer.id from employers employer join organizations organization on organization.id = employer.organization_id
    where ${every(named)}`.execute(tx)
  const column = rows.length > maxSorted ? sql`(${employerId} + 0)` : employerId
  return sql`${column} = any(${rows.map((row) => row.id)}::bigint[])`
}
