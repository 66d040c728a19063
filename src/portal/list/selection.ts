import { atom } from 'jotai/vanilla'

/** Rows a person has marked, in the order of the list; `filter` when everything that matches is. */
export interface Marked {
  entity: string
  ids: readonly string[]
  filter: Readonly<Record<string, string>> | null
  count: number | null
}
export const markedAtom = atom<Marked | null>(null)
