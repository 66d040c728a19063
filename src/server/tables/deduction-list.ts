import { type RawBuilder, sql } from 'kysely'
import { listDeductions } from '#contract/deductions.ts'
import { openTo } from '#server/access.ts'
import type { Tx } from '#server/route.ts'
import { choice, idIn, idIs, organizationIn, since, until, yesOrNo } from '#server/tables/conditions.ts'
import { readDeductions } from '#server/tables/deductions.ts'
import { defineList } from '#server/tables/define-list.ts'
import { fold, literally } from '#server/tables/employee-search.ts'

/** Over which table a page is walked, as rows `e`, and what the other one is called. */
interface Ground {
  from: RawBuilder<unknown>
  deduction: 'e' | 'd'
  invoice: 'e' | 'i'
}

const listOver = ({ from, deduction, invoice }: Ground) => {
  const d = (column: string) => sql.ref(`${deduction}.${column}`)
  const i = (column: string) => sql.ref(`${invoice}.${column}`)
  return defineList({
    endpoint: listDeductions,
    from,
    id: d('id'),
    open: (actor) => openTo(actor, i('employer_id')),
    filters: {
      ...choice('status', d('status')),
      ...yesOrNo(
        'pending-write-offs',
        sql`exists (select from write_offs w where w.invoice_id = ${i('id')} and w.status = 'PENDING')`,
      ),
      id: idIn(d('id')),
      'invoice-id': idIs(i('id')),
      'employer-id': idIn(i('employer_id')),
      'organization-id': organizationIn(i('employer_id')),
      'reported-from': since(i('report_date')),
      'reported-to': until(i('report_date')),
      q: (text, { tx }) => matching(tx, text, d('id'), i('employer_id')),
    },
    sorts: { id: null, status: d('status'), report_date: i('report_date') },
    read: ({ tx }, chosen, order) => readDeductions(tx, chosen, order),
  })
}

const byDeduction = listOver({
  from: sql`deductions e join invoices i on i.id = e.invoice_id`,
  deduction: 'e',
  invoice: 'i',
})
const byInvoice = listOver({
  from: sql`invoices e join deductions d on d.invoice_id = e.id`,
  deduction: 'd',
  invoice: 'e',
})

/**
 * Deductions. By report date a page is walked over the invoices, each of which has at most one deduction, because their
 * index has that order; else over the deductions themselves.
 */
export const deductionList: typeof byDeduction = {
  page: (asking, query, from) => (query.sort === 'report_date' ? byInvoice : byDeduction).page(asking, query, from),
  count: byDeduction.count,
}

/** Rows of more employers than this are passed over in the list's order; those of fewer are found by employer, then sorted. */
const mostSorted = 50

/** What a search text stands for: the number of a deduction or of its invoice, and employers. */
interface Sought {
  number: number | null
  employers: number[]
}

/** Finds the employers that a search text names, all its words in their or their organization's name; null without a text. */
async function soughtBy(tx: Tx, text: string): Promise<Sought | null> {
  const words = fold(text).split(/\s+/).filter(Boolean)
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
async function matching(tx: Tx, text: string, id: RawBuilder<unknown>, employerId: RawBuilder<unknown>) {
  const sought = await soughtBy(tx, text)
  if (!sought) return sql`true`
  const { number, employers } = sought
  const column = employers.length > mostSorted ? sql`(${employerId} + 0)` : employerId
  if (number === null) return sql`${column} = any(${employers}::bigint[])`
  return sql`${id} in (select id from deductions where id = ${number} union all
    select id from deductions where invoice_id = ${number})`
}
