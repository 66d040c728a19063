import { atom } from 'jotai/vanilla'

/** Rows on screen that have notes, as `employee 104234`. */
export const notedAtom = atom<ReadonlySet<string>>(new Set<string>())
