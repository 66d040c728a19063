import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps a box to one row: of its `data-fit` parts it hides the last ones that do not fit, except for a `data-kept` one. Its
 * `data-rest` leads to them, and is hidden while everything fits unless it is `data-rest="always"`.
 */
function fitRow(box: HTMLElement): void {
  const parts = [...box.querySelectorAll<HTMLElement>('[data-fit]')]
  const rest = box.querySelector<HTMLElement>('[data-rest]')
  for (const part of [...parts, ...(rest ? [rest] : [])]) part.hidden = false
  const [first, second] = parts.map((part) => part.getBoundingClientRect())
  if (!first) return
  const padding = first.left - box.getBoundingClientRect().left
  const room = box.clientWidth - 2 * padding
  // A box that is not drawn has no width.
  if (room <= 0) return
  const gap = second ? second.left - first.right : 0
  const widthOf = (part: HTMLElement) => part.offsetWidth + gap
  const widths = new Map(parts.map((part) => [part, widthOf(part)]))
  const sum = (some: readonly HTMLElement[]) => some.reduce((total, part) => total + (widths.get(part) ?? 0), 0)
  const always = rest?.dataset['rest'] === 'always'
  const forRest = rest ? widthOf(rest) : 0
  // The last part has no gap after it.
  if (sum(parts) + (always ? forRest : 0) - gap <= room) {
    if (rest && !always) rest.hidden = true
    return
  }
  let left = room - forRest - sum(parts.filter((part) => part.dataset['kept'] !== undefined))
  let full = false
  for (const part of parts) {
    if (part.dataset['kept'] !== undefined) continue
    const width = widths.get(part) ?? 0
    full ||= width > left
    if (full) part.hidden = true
    else left -= width
  }
  if (rest && document.activeElement instanceof HTMLElement && document.activeElement.hidden)
    (rest.querySelector('button') ?? rest).focus()
}

/** The box of a row that shows what fits: measured on every render, and when its width or the font changes. */
export function useFitRow<Box extends HTMLElement>() {
  const box = useRef<Box>(null)
  useLayoutEffect(() => {
    if (box.current) fitRow(box.current)
  })
  useEffect(() => {
    const { current } = box
    if (!current) return
    const fit = () => fitRow(current)
    const watch = new ResizeObserver(fit)
    watch.observe(current)
    document.fonts?.addEventListener('loadingdone', fit)
    return () => {
      watch.disconnect()
      document.fonts?.removeEventListener('loadingdone', fit)
    }
  }, [])
  return box
}
