import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

type Parts = typeof import('#portal/palette/sentence-parts.ts').parts

/** Null if they could not be loaded, undefined until then. */
let parts: Parts | null | undefined

/** Counts the reasons to read a sentence again: what reads it is loaded, or names in it are found. */
export const sentencesAtom = atom(0)

/** Sentences have to be read again. */
export const readAgain = (): void => store.set(sentencesAtom, (count) => count + 1)

/** What reads sentences; undefined until it is loaded, null if that failed. */
export const sentenceParts = (): Parts | null | undefined => parts

/** Loads what reads sentences, if it is not there yet. */
export async function fetchSentences(): Promise<void> {
  if (parts) return
  parts = await import('#portal/palette/sentence-parts.ts').then(
    (loaded) => loaded.parts,
    () => null,
  )
  readAgain()
}
