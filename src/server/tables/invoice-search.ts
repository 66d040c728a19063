import { type RawBuilder, sql } from 'kysely'
import { fold, literally, maxWords, patternOf } from '#server/tables/employee-search.ts'
import { employersNamed } from '#server/tables/employers-named.ts'
import type { Tx } from '#server/tables/database.ts'

/** The id in a text such as `INV-40001` or `40001`; else null. */
function invoiceIdOf(text: string): number | null {
  const id = /^(?:INV-?|#)?(\d{1,15})$/i.exec(text.trim())?.[1]
  return id === undefined || Number(id) === 0 ? null : Number(id)
}

/** A search of invoices `e`: its condition, and the id in the query, whose invoice comes first. */
export interface InvoiceSearch {
  matches: RawBuilder<boolean>
  id: number | null
}

/**
 * Whether every word of `q` is in the number, the company code, or the name or code of the employer or organization. Half of all
 * numbers contain a given digit, so short words match only at the start of words.
 */
export async function invoiceSearch(tx: Tx, q: string): Promise<InvoiceSearch> {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (/^inv-?\d+$/.test(word) ? word.replace(/^inv-?/, 'inv-') : fold(word).trim()))
    .filter(Boolean)
    .slice(0, maxWords)
  const id = invoiceIdOf(q)
  if (words.length === 0) return { matches: sql<boolean>`true`, id: null }
  const named = await employersNamed(tx, words)
  const each = words.map((word, at) => {
    const pattern = patternOf(word)
    const employers = named[at] ?? []
    const written = sql`${pattern.startsWith('% ') ? sql`(' ' || e.search_text)` : sql`e.search_text`} like ${pattern}`
    return employers.length === 0 ? written : sql`(${written} or e.employer_id = any(${employers}::bigint[]))`
  })
  return { matches: sql<boolean>`(${sql.join(each, sql` and `)})`, id }
}

/** Whether the number contains a text such as `INV-4000` or `400`. */
export function numberContains(text: string): RawBuilder<boolean> {
  const digits = text.replace(/\D/g, '')
  const pattern = /^inv/i.test(text.trim()) ? `${digits}%` : `%${digits}%`
  // The search text contains the number, too, and has a trigram index.
  return sql<boolean>`(e.id::text like ${pattern} and e.search_text like ${`%${/^inv/i.test(text.trim()) ? 'inv-' : ''}${digits}%`})`
}

/** Whether the company code contains a text. */
export function companyContains(text: string): RawBuilder<boolean> {
  const pattern = `%${literally(fold(text).trim())}%`
  return sql<boolean>`(fold(e.company_code) like ${pattern} and e.search_text like ${pattern})`
}
