import type { Filter } from '#contract/filter.ts'
import { filterNamed, maxNameWords } from '#kernel/filter-comparisons.ts'
import { fold } from '#kernel/fold.ts'

/** A thing that a filter is by, as it is said: what stands before the name of the filter, and the words of the thing behind it. */
export interface RecordNamed {
  filter: Filter
  /** The noun of the thing. */
  entity: string
  before: string
  words: string
}

/**
 * `employer zephyr`, `overdue emp zephyr`: the filter by things that is named, by its title, a word of it or a beginning of three
 * letters. Null where none is, and where it is excluded, which no such filter can.
 */
export function recordNamed(typed: string, filters: readonly Filter[]): RecordNamed | null {
  const words = typed.trim().split(/\s+/, 2 * maxNameWords)
  const byRecords = filters.filter(({ field }) => field.kind === 'reference')
  for (let at = 0; at < words.length - 1; at++) {
    for (let length = Math.min(maxNameWords, words.length - at - 1); length > 0; length--) {
      const filter = filterNamed(fold(words.slice(at, at + length).join(' ')), byRecords)
      if (!filter) continue
      const rest = words.slice(at + length)
      const said = rest.length > 1 && /^(is|=)$/i.test(rest[0] as string) ? rest.slice(1) : rest
      if (/^(not|no|!)$/i.test(words[at - 1] ?? '') || /^(not|no|!)$/i.test(said[0] as string)) return null
      return { filter, entity: filter.field.entity ?? '', before: words.slice(0, at).join(' '), words: said.join(' ') }
    }
  }
  return null
}
