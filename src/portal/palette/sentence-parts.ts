import { completeBy, takeBack } from '#portal/palette/cycle.ts'
import { forgetNamed, searchNamed } from '#portal/palette/named-records.ts'
import { emptySentence } from '#portal/palette/empty-sentence.ts'
import { helpGroups } from '#portal/palette/help-groups.ts'
import { valuesNamed } from '#portal/palette/list-records.ts'
import { sentenceGroup } from '#portal/palette/sentence-rows.ts'

/** What reads, completes and explains what is typed, in a file that is loaded right after the palette. */
export const parts = { sentenceGroup, valuesNamed, helpGroups, emptySentence, completeBy, takeBack, searchNamed, forgetNamed }
