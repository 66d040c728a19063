import { atom } from 'jotai/vanilla'

/** Counts changes of the user's rights during the session: content is then refetched, and removed if out of reach. */
export const rightsChangesAtom = atom(0)
