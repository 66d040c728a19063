import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const name = 'admin-portal.letter-keys'

/** Whether plain letters are shortcuts in grids and records (WCAG 2.1.4). */
export const lettersAtom = atom(readStorage(name, z.boolean()) ?? true)

/** Turns plain letters as shortcuts on or off, stored in this browser. */
export function setLetters(on: boolean): void {
  store.set(lettersAtom, on)
  writeStorage(name, on ? null : false)
}
