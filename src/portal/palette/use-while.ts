import { type Atom, atom, useAtomValue } from 'jotai'
import { useRef } from 'react'

const nothing = atom(null)

/**
 * What an atom holds while `live`; afterwards what it held last, whatever happens meanwhile: a palette that is closed
 * stays drawn, and must cost nothing when a row is moved or loaded.
 */
export function useWhile<Value>(live: boolean, of: Atom<Value>, first: () => Value): Value {
  const now = useAtomValue<Value | null>(live ? of : nothing)
  const last = useRef<{ value: Value } | null>(null)
  last.current ??= { value: first() }
  if (live) last.current = { value: now as Value }
  return last.current.value
}
