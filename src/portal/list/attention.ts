import { atom } from 'jotai/vanilla'
import type { Need } from '#domain/permissions.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'

/** Row counts of places that are filtered lists, by address, as far as known. */
export const placeCountsAtom = atom<ReadonlyMap<string, number>>(new Map())

/** A part of a list that needs attention, as the dashboard showed it. */
export interface AttentionLine {
  address: string
  title: string
  /** The noun's list, `/invoices`. */
  path: string
  count: number
  /** `$120.00 outstanding`; null if only rows are counted. */
  amount: string | null
  needs: Need
}

interface ReadLines {
  lines: readonly AttentionLine[]
  /** Time of the answer, in milliseconds. */
  at: number
  person: string | undefined
  rights: number
}

const readAtom = atom<ReadLines | null>(null)

/** The lines of the dashboard, most urgent first, with the time of their answer; null if this person has not read them. */
export const attentionAtom = atom((get): Pick<ReadLines, 'lines' | 'at'> | null => {
  const read = get(readAtom)
  return read && read.person === get(meAtom)?.person.id && read.rights === get(rightsChangesAtom) ? read : null
})

/** Remembers the lines that the dashboard shows, for as long as the person and their rights are the same. */
export const rememberAttention = (lines: readonly AttentionLine[]): void =>
  store.set(readAtom, { lines, at: Date.now(), person: store.get(meAtom)?.person.id, rights: store.get(rightsChangesAtom) })
