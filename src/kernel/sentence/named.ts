import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { findable, wordsOf } from '#kernel/findable.ts'
import { match, tier } from '#kernel/match.ts'
import type { Named } from '#kernel/sentence/arguments.ts'

/** By another name than the title. */
const byKeyword = 0.5

/**
 * The records among those found for some words that the words name: by id, title, code or address, whole or by the beginnings of
 * words. Only those with exactly that name if there are any.
 */
export function namedIn(entity: AnyEntity, records: readonly unknown[], text: string): readonly Named[] {
  const { query, words } = wordsOf(text)
  const named = records.flatMap((record) => {
    const [id, title] = [entity.id(record), entity.title(record)]
    const hit = match(findable(id, title, record, [id, entity.ids.write(id)], entity.keywords(record)), query, words)
    return hit && hit.tier < tier.initials ? [{ id, title, tier: hit.tier }] : []
  })
  const exact = named.filter((each) => each.tier <= tier.exactTitle + byKeyword)
  return (exact.length ? exact : named).map(({ id, title }) => ({ id, title }))
}

/** Whether each typed word is a word of a record's title: `paul` of Paul, not of Paula. */
export const hasWords = ({ title }: Pick<Named, 'title'>, words: string): boolean =>
  fold(words)
    .split(' ')
    .every((word) => ` ${fold(title)} `.includes(` ${word} `))
