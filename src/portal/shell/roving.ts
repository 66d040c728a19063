import type { FocusEvent, KeyboardEvent, RefCallback } from 'react'
import { useCallback } from 'react'

const stops = 'a[href], button:not(:disabled)'
const of = (box: HTMLElement): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>(stops)].filter((each) => each.offsetParent !== null)

function enter(box: HTMLElement, one: HTMLElement): void {
  for (const each of of(box)) each.tabIndex = each === one ? 0 : -1
}

/** Makes a region one stop of Tab: arrows, Home and End move inside, and Tab comes back to where one was. */
export function useRoving(axis: 'vertical' | 'horizontal') {
  const ref = useCallback<RefCallback<HTMLElement>>((box) => {
    if (!box) return
    const first = box.querySelector<HTMLElement>('[aria-current]') ?? of(box)[0]
    if (first) enter(box, first)
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
