import { store } from '#portal/platform/store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { watchDrawn } from '#portal/list/drawn.ts'
import type { List, MarkedRows } from '#portal/list/list.ts'
import { pagesKept } from '#portal/list/pages.ts'
import { wholeNumber } from '#domain/text.ts'

/**
 * Unmarks rows that left their list, by a command or by somebody else: the next command must only apply to visible rows.
 * Returns the function that stops it.
 */
export const watchMarks = (): (() => void) => watchDrawn(watchMarksOf)

function watchMarksOf(list: List): () => void {
  /** Marked rows that were loaded at the last check. */
  let seen = new Set<string>()
  const look = () => {
    const marked = store.get(list.markedAtom)
    if (!marked) {
      seen = new Set()
      return
    }
    const loaded = new Set(list.pages.loaded())
    const here = new Set(marked.ids.filter((id) => loaded.has(id)))
    // A restarted list has no rows yet, and a long one evicts far rows: in neither case has a row left the list.
    const whole = !list.pages.empty && list.pages.held < pagesKept
    if (!whole) seen = here
    // A row that left one page may arrive with the next.
    if (!whole || list.pages.loading) return
    const gone = new Set([...seen].filter((id) => !loaded.has(id)))
    seen = here
    if (marked.filter) recount(list, marked)
    else if (gone.size) unmark(list, marked, gone)
  }
  look()
  const stops = [list.markedAtom, list.rowsAtom, list.tally.countAtom].map((each) => store.sub(each, look))
  return () => {
    for (const stop of stops) stop()
  }
}

/** With everything marked, the marks stay while anything matches, and the count is updated. */
function recount(list: List, marked: MarkedRows): void {
  const known = store.get(list.tally.countAtom)
  const count = list.pages.total ?? (known?.exact ? known.count : marked.count)
  if (count === marked.count) return
  store.set(list.markedAtom, count === 0 ? null : { ...marked, count })
  announce(count ? `${wholeNumber(count)} selected` : 'Nothing selected')
}

function unmark(list: List, marked: MarkedRows, gone: ReadonlySet<string>): void {
  const ids = marked.ids.filter((id) => !gone.has(id))
  store.set(list.markedAtom, ids.length ? { ...marked, ids, count: ids.length } : null)
  // The rows were kept because they were marked; now they can be evicted.
  list.dropped([...gone])
  const left = ids.length ? `${wholeNumber(ids.length)} selected` : 'nothing selected'
  announce(`${wholeNumber(gone.size)} no longer in this list: ${left}`)
}
