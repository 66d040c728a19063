import type { AnyEntity } from '#kernel/entity.ts'
import { type Findable, findable, wordsOf } from '#kernel/findable.ts'
import { fold } from '#kernel/fold.ts'
import { type Match, match, tier } from '#kernel/match.ts'
import { findableRecord, type Local } from '#portal/records/find-locally.ts'

/** The words that were typed, see `wordsOf`. */
export type Words = ReturnType<typeof wordsOf>

/** The name by which a record was found, where its title and id are not it; null otherwise. */
export const foundBy = (id: string, hit: Match<Local> | null): string | null => (hit?.by && hit.by !== id ? hit.by : null)

/** The tier of a record in a list of results: one that matches by what its row does not show comes after those that show it. */
export const tierOfFound = (entity: AnyEntity, id: string, hit: Match<Local> | null): number =>
  Math.max(
    (hit?.tier ?? tier.substring) + (foundBy(id, hit) ? 0.5 : 0),
    entity.tells && hit?.tier !== tier.exactId ? tier.substring : 0,
  )

/**
 * How a record that the API found matches the typed words. `through` where it does so only by texts that its row does not show: the API
 * finds people by the name of their employer, too.
 */
export function hitOf(
  entity: AnyEntity,
  record: unknown,
  { query, words }: Words,
): { hit: Match<Local> | null; through: boolean } {
  const prepared = findableRecord(entity, record)
  const hit = match(prepared, query, words)
  return { hit: hit ?? match(withSubtitle(prepared), query, words), through: hit === null }
}

/** A record with the parts of its subtitle as other names. */
const withSubtitle = ({ key, title, of }: Findable<Local>): Findable<Local> =>
  findable(key, title, of, [], of.subtitle.split(' · '))

/** How many of several words are whole words of a title: Chen comes before Cheng. */
const wholeWords = (title: string, words: readonly string[]): number =>
  words.length > 1 ? words.filter((word) => ` ${fold(title)} `.includes(` ${word} `)).length : 0

/** Sorts results by tier, then by whole words of their titles, then by how often they were used; otherwise keeps the order. */
export const bestFirst = <Row extends { key: string; title: string; tier: number }>(
  rows: readonly Row[],
  words: readonly string[],
  used: (key: string) => number,
): Row[] =>
  rows
    .map((row, index) => ({ row, index, score: used(row.key), whole: wholeWords(row.title, words) }))
    .sort((a, b) => a.row.tier - b.row.tier || b.whole - a.whole || b.score - a.score || a.index - b.index)
    .map(({ row }) => row)

/** Records that the API found for a text, in the order of the palette: those that the typed words name best come first. */
export function inPaletteOrder(entity: AnyEntity, records: readonly unknown[], text: string): readonly unknown[] {
  const typed = wordsOf(text)
  if (typed.words.length === 0) return records
  const rows = records.map((record) => {
    const id = entity.id(record)
    const { hit } = hitOf(entity, record, typed)
    return { key: `${entity.name}:${id}`, title: entity.title(record), tier: tierOfFound(entity, id, hit), record }
  })
  return bestFirst(rows, typed.words, () => 0).map(({ record }) => record)
}
