import type { Filter } from '#contract/filter.ts'
import type { FindRecord } from '#kernel/sentence/arguments.ts'
import { completeBy, takeBack } from '#portal/palette/cycle.ts'
import { findNamed, forgetNamed, searchNamed } from '#portal/palette/named-records.ts'
import { emptySentence } from '#portal/palette/empty-sentence.ts'
import { helpGroups } from '#portal/palette/help-groups.ts'
import { type NamedValue, valuesNamed as valuesBy } from '#kernel/sentence/list-records.ts'
import { sentenceGroup } from '#portal/palette/sentence-rows.ts'
import { spellingGroup } from '#portal/palette/spelling-rows.ts'

/** What reads, completes and explains what is typed, in a file that is loaded right after the palette. */
/** The records that words beside a list name; by default the API finds them. */
const valuesNamed = (
  words: string,
  filters: readonly Filter[],
  { find = findNamed, searching }: { find?: FindRecord | undefined; searching: () => void },
): NamedValue[] => valuesBy(words, filters, { find, searching })

export const parts = {
  ...{ sentenceGroup, valuesNamed, spellingGroup, helpGroups, emptySentence },
  ...{ completeBy, takeBack, searchNamed, forgetNamed },
}
