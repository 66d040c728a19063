import { atom } from 'jotai/vanilla'

/** True while the record has the full width, with the list hidden behind it. */
export const wideAtom = atom(false)
