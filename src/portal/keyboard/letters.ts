import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { isPlain } from '#kernel/keys.ts'
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

/** Whether a key works now: single characters can be switched off. `1–9` stands for the digits. */
export const keyWorks = (chord: string, letters = store.get(lettersAtom)): boolean =>
  letters || !(isPlain(chord) || chord === '1–9')
