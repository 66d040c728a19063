/** Milliseconds in which what was done can be undone; of a run, from its end (rules 17). */
export const undoWindow = 10 * 60_000
