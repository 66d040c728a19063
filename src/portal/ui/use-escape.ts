import { useEffect, useRef } from 'react'
import { leavesByEscape } from '#portal/keyboard/escape.ts'

/** Leaves a page by Escape, unless the focused element or a dialog handles it; null where something within the page does it. */
export function useEscape(leave: (() => void) | null): void {
  const latest = useRef(leave)
  latest.current = leave
  const leaves = leave !== null
  useEffect(() => (leaves ? leavesByEscape(() => latest.current?.()) : undefined), [leaves])
}
