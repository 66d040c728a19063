import { completeBy, takeBack } from '#portal/palette/cycle.ts'
import { forgetNamed, searchNamed } from '#portal/palette/named-records.ts'
import { exampleRows } from '#portal/palette/sentence-examples.ts'
import { sentenceGroup } from '#portal/palette/sentence-rows.ts'

/** What reads and completes sentences, in a file that is loaded right after the palette. */
export const parts = { sentenceGroup, exampleRows, completeBy, takeBack, searchNamed, forgetNamed }
