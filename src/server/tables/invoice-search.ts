import { type RawBuilder, sql } from 'kysely'
import { fold, literally } from '#server/tables/employee-search.ts'
import type { Tx } from '#server/tables/database.ts'

const mostWords = 6
/** Shorter words are found at the beginning of a word only: one digit is inside of half of all numbers. */
const inside = 3

/** The id that a text is, `INV-40001` or `40001`; else null. */
function invoiceIdOf(text: string): number | null {
  const id = /^(?:INV-?|#)?(\d{1,15})$/i.exec(text.trim())?.[1]
  return id === undefined || Number(id) === 0 ? null : Number(id)
}

/** A search of invoices `e`: what it matches, and the id that it names, whose invoice comes first. */
export interface InvoiceSearch {
  matches: RawBuilder<boolean>
  id: number | null
}

/**
 * Every word of `q` is in the number, the company code, or the name or code of the employer or organization. Employers
 * are few, so those that a word names are found first.
 */
export async function invoiceSearch(tx: Tx, q: string): Promise<InvoiceSearch> {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (/^inv-?\d+$/.test(word) ? word.replace(/^inv-?/, 'inv-') : fold(word).trim()))
    .filter(Boolean)
    .slice(0, mostWords)
  const id = invoiceIdOf(q)
  if (words.length === 0) return { matches: sql<boolean>`true`, id: null }
  const patterns = words.map((word) => `%${word.length < inside ? ' ' : ''}${literally(word)}%`)
  const { rows } = await sql<{ employers: number[] | null }>`
    select array_agg(employers.id) filter (where employers.id is not null) as employers
    from unnest(${patterns}::text[]) with ordinality as word(pattern, number)
    left join (employers join organizations on organizations.id = employers.organization_id)
      on (' ' || employers.name_key || ' ' || fold(employers.external_code) || ' ' || organizations.name_key) like word.pattern
    group by word.number order by word.number`.execute(tx)
  const each = patterns.map((pattern, at) => {
    const employers = rows[at]?.employers ?? []
    const written = sql`${pattern.startsWith('% ') ? sql`(' ' || e.search_text)` : sql`e.search_text`} like ${pattern}`
    return employers.length === 0 ? written : sql`(${written} or e.employer_id = any(${employers}::bigint[]))`
  })
  return { matches: sql<boolean>`(${sql.join(each, sql` and `)})`, id }
}

/** The condition that a number contains a text such as `INV-4000` or `400`. */
export function numberContains(text: string): RawBuilder<boolean> {
  const digits = text.replace(/\D/g, '')
  const pattern = /^inv/i.test(text.trim()) ? `${digits}%` : `%${digits}%`
  // The search text has the number too, and an index by trigrams.
  return sql<boolean>`(e.id::text like ${pattern} and e.search_text like ${`%${/^inv/i.test(text.trim()) ? 'inv-' : ''}${digits}%`})`
}

/** The condition that the company code contains a text. */
export function companyContains(text: string): RawBuilder<boolean> {
  const pattern = `%${literally(fold(text).trim())}%`
  return sql<boolean>`(fold(e.company_code) like ${pattern} and e.search_text like ${pattern})`
}
