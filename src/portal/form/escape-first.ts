import { useEffect, useState } from 'react'
import { store } from '#portal/platform/store.ts'
import { escapeFirstAtom } from '#portal/keyboard/key-map.ts'

/** Says in the status bar what Escape does before it leaves, while it `does` that where the keyboard is. */
export function useEscapeFirst(says: string, does: boolean): void {
  useEffect(() => {
    if (!does) return
    store.set(escapeFirstAtom, (now) => [...now, says])
    return () => store.set(escapeFirstAtom, (now) => now.filter((each) => each !== says))
  }, [says, does])
}

/** Whether the keyboard is in an element, and the handlers by which that is known. */
export function useKeyboardWithin(): [within: boolean, handlers: { onFocus: () => void; onBlur: () => void }] {
  const [within, setWithin] = useState(false)
  return [within, { onFocus: () => setWithin(true), onBlur: () => setWithin(false) }]
}

/** Drawn within a list that opens and that Escape closes. */
export function ClosesList() {
  useEscapeFirst('close the list', true)
  return null
}
