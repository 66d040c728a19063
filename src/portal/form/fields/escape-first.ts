import { useEffect, useState } from 'react'
import { store } from '#portal/platform/store.ts'
import { escapeFirstAtom } from '#portal/keyboard/key-map.ts'

/** Shows in the status bar what Escape does before it leaves, while `does` is true. */
export function useEscapeFirst(says: string, does: boolean): void {
  useEffect(() => {
    if (!does) return
    store.set(escapeFirstAtom, (now) => [...now, says])
    return () => store.set(escapeFirstAtom, (now) => now.filter((each) => each !== says))
  }, [says, does])
}

/** Whether the focus is within an element, and the handlers that track it. */
export function useKeyboardWithin(): [within: boolean, handlers: { onFocus: () => void; onBlur: () => void }] {
  const [within, setWithin] = useState(false)
  return [within, { onFocus: () => setWithin(true), onBlur: () => setWithin(false) }]
}

/** Rendered within an open list that Escape closes. */
export function ClosesList() {
  useEscapeFirst('close the list', true)
  return null
}
