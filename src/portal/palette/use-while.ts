import { type Atom, atom, useAtomValue } from 'jotai'
import { useRef } from 'react'

const nothing = atom(null)

/**
 * The value of an atom while `live`, afterwards its last value: a closed palette stays rendered, and must not render when a row
 * is moved or loaded.
 */
export function useWhile<Value>(live: boolean, of: Atom<Value>, first: () => Value): Value {
  const now = useAtomValue<Value | null>(live ? of : nothing)
  const last = useRef<{ value: Value } | null>(null)
  last.current ??= { value: first() }
  if (live) last.current = { value: now as Value }
  return last.current.value
}
