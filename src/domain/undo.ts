/** Milliseconds within which a change can be undone; for a run, from its end (docs/rules/undo.md). */
export const undoWindow = 10 * 60_000

/** Why a row is excluded because another run has yet to process it. */
export const partOfRun = 'Part of a run that is under way.'

/** Message for a run whose rows the person can no longer access. */
export const runOutOfReach = 'You have no access to these any more. Somebody else has to undo them.'
