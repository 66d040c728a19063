import { useAtomValue } from 'jotai'
import { keyWorks, lettersAtom } from '#portal/keyboard/letters.ts'
import { store } from '#portal/platform/store.ts'

/** The value of `aria-keyshortcuts` for a key: none while it is switched off. */
export function useShortcut(): (chord: string) => string | undefined {
  const letters = useAtomValue(lettersAtom, { store })
  return (chord) => (keyWorks(chord, letters) ? chord : undefined)
}
