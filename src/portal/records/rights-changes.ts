import { atom } from 'jotai/vanilla'

/** How often the person's rights changed while they worked: what is shown is read again, and goes where it is out of reach. */
export const rightsChangesAtom = atom(0)
