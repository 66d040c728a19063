import { useEffect, useRef } from 'react'
import { leavesByEscape } from '#portal/keyboard/escape.ts'

/** Leaves a page by Escape, unless the focused element or a dialog handles it. */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave)
  latest.current = leave
  useEffect(() => leavesByEscape(() => latest.current()), [])
}
