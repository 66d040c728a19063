import { useEffect } from 'react'
import { formKeysAtom, type KeyLine } from '#portal/keyboard/key-map.ts'
import { store } from '#portal/platform/store.ts'

interface HintOptions {
  /** Whether Enter alone goes on. */
  byEnter: boolean
  /** Whether every field has one line, so that Enter sends from any of them. */
  singleLine: boolean
  /** Whether the last step is shown. */
  last: boolean
  /** Whether the form is only previewed: its answer offers to send. */
  previews: boolean
}

/** Says in the status bar what Enter and Ctrl+Enter do in a form; null for a form that says it itself. */
export function useKeyHints(options: HintOptions | null): void {
  const shown = options !== null
  const { byEnter, singleLine, last, previews } = options ?? {}
  useEffect(() => {
    if (!shown) return
    const says = !last ? 'continue' : previews ? 'preview' : 'send'
    const sending: KeyLine = { chords: byEnter && singleLine ? ['Enter', 'Mod+Enter'] : ['Mod+Enter'], says }
    const next: KeyLine[] = byEnter && !singleLine ? [{ chords: ['Enter'], says: `next field, from the last one ${says}` }] : []
    store.set(formKeysAtom, [...next, sending, { chords: ['Escape'], says: 'close' }])
    return () => store.set(formKeysAtom, null)
  }, [shown, byEnter, singleLine, last, previews])
}
