import { atom } from 'jotai/vanilla'

/** True while the record takes the whole width and the list waits behind it. */
export const wideAtom = atom(false)
