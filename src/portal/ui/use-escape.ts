import { useEffect, useRef } from 'react'
import { focusOf } from '#portal/keyboard/focus.ts'

/** The pages that Escape leaves, the innermost last. */
const pages: unknown[] = []

/**
 * Leaves a page by Escape wherever the focus is: in the page, in the bars, or nowhere after Tab has passed the last element. An
 * element that handles Escape itself comes first, and so does a dialog. Of two pages within each other the inner one decides.
 */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave)
  latest.current = leave
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || pages.at(-1) !== onKey) return
      if (focusOf(document.activeElement) === 'dialog' || document.querySelector('[aria-modal=true]')) return
      event.preventDefault()
      latest.current()
    }
    pages.push(onKey)
    document.addEventListener('keydown', onKey)
    return () => {
      pages.splice(pages.indexOf(onKey), 1)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
}
