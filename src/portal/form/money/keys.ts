import { useEffect } from 'react'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { store } from '#portal/platform/store.ts'
import { formKeysAtom, type KeyLine } from '#portal/keyboard/key-map.ts'

/** Shows the keys for lines of amounts in the status bar while they are mounted. */
export function useMoneyKeys({ lines, whole }: MoneyLines): void {
  const [suggests, shares] = [lines.some((line) => line.suggested !== undefined), whole !== undefined]
  useEffect(() => {
    const keys: (KeyLine | false)[] = [
      { chords: ['ArrowUp', 'ArrowDown'], says: 'line' },
      { chords: ['*'], says: 'full balance' },
      suggests && { chords: ['s'], says: 'suggestion' },
      shares && { chords: ['='], says: 'put the rest here' },
      { chords: ['Mod+Enter'], says: 'send' },
      { chords: ['Escape'], says: 'close' },
    ]
    store.set(
      formKeysAtom,
      keys.filter((line) => line !== false),
    )
    return () => store.set(formKeysAtom, null)
  }, [suggests, shares])
}
