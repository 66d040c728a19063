import type { Filter } from '#contract/filter.ts'
import { filterNamed, maxNameWords, withoutColons } from '#kernel/filter-comparisons.ts'
import { fold } from '#kernel/fold.ts'
import { isExclusion } from '#kernel/sentence/meaning-words.ts'

/** A record to filter by, as typed: the text before the filter's name, and the words for the record after it. */
export interface RecordNamed {
  filter: Filter
  /** Noun of the record. */
  entity: string
  before: string
  words: string
}

/**
 * `employer zephyr`, `overdue emp zephyr`: the record filter named by its title, a word of it, or a prefix of at least three
 * letters. Null if there is none, or if it is negated, which record filters do not support.
 */
export function recordNamed(typed: string, filters: readonly Filter[]): RecordNamed | null {
  const words = withoutColons(typed)
    .trim()
    .split(/\s+/, 2 * maxNameWords)
  const byRecords = filters.filter(({ field }) => field.kind === 'reference')
  for (let at = 0; at < words.length - 1; at++) {
    for (let length = Math.min(maxNameWords, words.length - at - 1); length > 0; length--) {
      const filter = filterNamed(fold(words.slice(at, at + length).join(' ')), byRecords)
      if (!filter) continue
      const rest = words.slice(at + length)
      const said = rest.length > 1 && /^(is|=)$/i.test(rest[0] as string) ? rest.slice(1) : rest
      if (isExclusion(words[at - 1] ?? '') || isExclusion(said[0] as string)) return null
      return { filter, entity: filter.field.entity ?? '', before: words.slice(0, at).join(' '), words: said.join(' ') }
    }
  }
  return null
}
