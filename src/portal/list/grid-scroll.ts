import type { Virtualizer } from '@tanstack/react-virtual'
import { flushSync } from 'react-dom'

/** The virtualizer of the grid. */
export type Scroller = Virtualizer<HTMLDivElement, Element>

/** Observes the inner size of the box, without border and scroll bars; `place` gets its width before the next paint. */
export const observeInside =
  (place: (width: number) => void) => (instance: Scroller, notify: (rect: { width: number; height: number }) => void) => {
    const box = instance.scrollElement
    if (!box) return
    const measure = () => {
      notify({ width: box.clientWidth, height: box.clientHeight })
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
 * Observes the scroll offset of the box; `give` receives the function to report a known offset. Scrolling renders in the same
 * frame, by keys as by wheel; the 'scrolling' flag is unused.
 */
export const observeOffset =
  (give: (notify: (offset: number) => void) => void) =>
  (instance: Scroller, notify: (offset: number, scrolling: boolean) => void) => {
    const box = instance.scrollElement
    if (!box) return
    const report = (offset: number) => notify(offset, false)
    give(report)
    const scrolled = () => {
      const offset = box.scrollTop
      // An offset set by a key has been rendered already.
      if (offset !== instance.scrollOffset) flushSync(() => report(offset))
    }
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => box.removeEventListener('scroll', scrolled)
  }
