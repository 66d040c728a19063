import type { FocusEvent, KeyboardEvent, RefCallback } from 'react'
import { useCallback } from 'react'

const stops = 'a[href], button:not(:disabled)'
const of = (box: HTMLElement): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>(stops)].filter((each) => each.offsetParent !== null)

function enter(box: HTMLElement, one: HTMLElement): void {
  for (const each of of(box)) {
    each.tabIndex = each === one ? 0 : -1
    if (each === one) each.dataset.stop = ''
    else delete each.dataset.stop
  }
}

/**
 * Makes a region one tab stop: arrows, Home and End move inside, and Tab returns to the last place, also after parts of the
 * region arrived late or were replaced.
 */
export function useRoving(axis: 'vertical' | 'horizontal') {
  const ref = useCallback<RefCallback<HTMLElement>>((box) => {
    if (!box) return
    let last: { stop: HTMLElement; at: number } | null = null
    const remember = () => {
      const all = of(box)
      const at = all.indexOf(document.activeElement as HTMLElement)
      last = at === -1 ? null : { stop: all[at] as HTMLElement, at }
    }
    const settle = () => {
      const all = of(box)
      // An element that was replaced while focused gets the focus back.
      if (last && !last.stop.isConnected && document.activeElement === document.body) all[last.at]?.focus()
      const one =
        all.find((each) => each === document.activeElement) ??
        all.find((each) => each.dataset.stop !== undefined) ??
        box.querySelector<HTMLElement>('[aria-current]') ??
        all[0]
      if (one) enter(box, one)
    }
    settle()
    const watch = new MutationObserver(settle)
    watch.observe(box, { childList: true, subtree: true })
    box.addEventListener('focusin', remember)
    return () => {
      watch.disconnect()
      box.removeEventListener('focusin', remember)
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const all = of(event.currentTarget)
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (at === -1) return
    const [back, on] = axis === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
    const to = { [back]: at - 1, [on]: at + 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all[(to + all.length) % all.length]?.focus()
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const one = (event.target as HTMLElement).closest<HTMLElement>(stops)
    if (one) enter(event.currentTarget, one)
  }
  return { ref, onKeyDown, onFocus }
}
