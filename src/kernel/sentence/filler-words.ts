import { isWeekday } from '#kernel/filter-comparisons.ts'

/** Question and filler words, which are ignored. */
export const fillerWord =
  /^(an?|and|are|at|been|being|by|can|can['’]?t|cannot|could|count|did|do|does|find|for|from|had|has|have|how|i|in|is|list|many|me|much|my|need|of|only|page|please|screen|sum|that|the|to|total|want|was|were|what|when|where|which|who|why|with|would|you)$/i

const unit = /^(?:day|week|month|fortnight)s?$/i

/**
 * Whether the word belongs to a number or a time, as in `100 to 500`, `in 3 days`, `monday to friday` and `year to date`, and must
 * be kept.
 */
export const belongsToValue = (words: readonly string[], at: number): boolean =>
  (/^to$/i.test(words[at] as string) && /^date$/i.test(words[at + 1] ?? '')) ||
  (/^an?$/i.test(words[at] as string) && unit.test(words[at + 1] ?? '')) ||
  (/^in$/i.test(words[at] as string) && (/^\d/.test(words[at + 1] ?? '') || unit.test(words[at + 2] ?? ''))) ||
  (/^to$/i.test(words[at] as string) && [at - 1, at + 1].every((place) => isWeekday.test(words[place] ?? ''))) ||
  (/^and$/i.test(words[at] as string) && [at - 1, at + 1].every((place) => !fillerWord.test(words[place] ?? 'and'))) ||
  (/^(and|to)$/i.test(words[at] as string) && [words.slice(0, at), words.slice(at)].every((some) => /\d/.test(some.join(' '))))
