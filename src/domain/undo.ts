/** Milliseconds in which what was done can be undone; of a run, from its end (decisions section 17). */
export const undoWindow = 10 * 60_000
