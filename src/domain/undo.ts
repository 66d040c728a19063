/** Milliseconds in which what was done can be undone; of a run, from its end (rules 17). */
export const undoWindow = 10 * 60_000

/** Why a row is left out of a run that another run has yet to do (D553). */
export const partOfRun = 'Part of a run that is under way.'

/** What is said of a run whose rows are all out of the person's reach by now. */
export const runOutOfReach = 'You have no access to these any more. Somebody else has to undo them.'
