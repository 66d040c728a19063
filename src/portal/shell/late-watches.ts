import { watchNoteMarks } from '#portal/drawer/note-marks.ts'
import { watchRecent } from '#portal/records/still-open.ts'
import { watchIdle } from '#portal/session/idle.ts'
import { watchCounts } from '#portal/shell/count-places.ts'
import { watching } from '#portal/shell/watches.ts'

/** Begins what may come last: what follows notes, counts, what was opened lately, and whether anybody is there. Returns what stops it. */
export const watchRest = (): (() => void) => watching(watchIdle, watchRecent, watchCounts, watchNoteMarks)
