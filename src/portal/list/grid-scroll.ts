import type { Virtualizer } from '@tanstack/react-virtual'
import { flushSync } from 'react-dom'

/** What counts the rows of the grid. */
export type Scroller = Virtualizer<HTMLDivElement, Element>

/** Tells how large the inside of the box is, without its border and scroll bars; `place` gets its width, before anything is painted. */
export const observeInside =
  (place: (width: number) => void) => (instance: Scroller, tell: (rect: { width: number; height: number }) => void) => {
    const box = instance.scrollElement
    if (!box) return
    const measure = () => {
      tell({ width: box.clientWidth, height: box.clientHeight })
      place(box.clientWidth)
    }
    measure()
    // The observer reports the first size as well.
    const observer = new ResizeObserver(() => {
      const { width, height } = instance.scrollRect ?? { width: 0, height: 0 }
      if (width !== box.clientWidth || height !== box.clientHeight) flushSync(measure)
    })
    observer.observe(box)
    return () => observer.disconnect()
  }

/**
 * Tells how far the box was scrolled; `give` gets what to tell a known offset with. Scrolling draws in the same frame, by
 * keys as by wheel; whether it is 'scrolling' is nobody's business.
 */
export const observeOffset =
  (give: (tell: (offset: number) => void) => void) =>
  (instance: Scroller, tell: (offset: number, scrolling: boolean) => void) => {
    const box = instance.scrollElement
    if (!box) return
    const report = (offset: number) => tell(offset, false)
    give(report)
    const scrolled = () => {
      const offset = box.scrollTop
      // What a key scrolled to is drawn already.
      if (offset !== instance.scrollOffset) flushSync(() => report(offset))
    }
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => box.removeEventListener('scroll', scrolled)
  }
