import { sql } from 'kysely'
import { patternOf } from '#server/tables/employee-search.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * For each of the folded words, the ids of the employers with that word in their name or code, or in the name of their
 * organization. There are few employers, so they are looked up before their records. Access is not checked here: the query for
 * the records does that.
 */
export async function employersNamed(tx: Tx, words: readonly string[]): Promise<number[][]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ employers: number[] | null }>`
    select array_agg(employers.id) filter (where employers.id is not null) as employers
    from unnest(${words.map(patternOf)}::text[]) with ordinality as word(pattern, number)
    left join (employers join organizations on organizations.id = employers.organization_id)
      on (' ' || employers.name_key || ' ' || fold(employers.external_code) || ' ' || organizations.name_key) like word.pattern
    group by word.number order by word.number`.execute(tx)
  return rows.map(({ employers }) => employers ?? [])
}
