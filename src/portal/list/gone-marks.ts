import { store } from '#portal/app/store.ts'
import { announce } from '#portal/app/toasts.ts'
import { watchDrawn } from '#portal/list/drawn.ts'
import type { List, Marked } from '#portal/list/list.ts'
import { pagesKept } from '#portal/list/pages.ts'
import { wholeNumber } from '#domain/text.ts'

/**
 * Takes away the marks of rows that their list has no more, by a command or by somebody else: what is done next is done to
 * what is in sight (D473). Returns what stops it.
 */
export const watchMarks = (): (() => void) => watchDrawn(watchMarksOf)

function watchMarksOf(list: List): () => void {
  /** Marked rows that were among those loaded when these were read last. */
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
    // A row that left one page may come with the next.
    if (!whole || list.pages.loading) return
    const gone = new Set([...seen].filter((id) => !loaded.has(id)))
    seen = here
    if (marked.filter) countAgain(list, marked)
    else if (gone.size) unmark(list, marked, gone)
  }
  look()
  const stops = [list.markedAtom, list.rowsAtom, list.tally.countAtom].map((each) => store.sub(each, look))
  return () => {
    for (const stop of stops) stop()
  }
}

/** Everything that matches stays marked while anything does, and counts what matches now. */
function countAgain(list: List, marked: Marked): void {
  const known = store.get(list.tally.countAtom)
  const count = list.pages.total ?? (known?.exact ? known.count : marked.count)
  if (count === marked.count) return
  store.set(list.markedAtom, count === 0 ? null : { ...marked, count })
  announce(count ? `${wholeNumber(count)} selected` : 'Nothing selected')
}

function unmark(list: List, marked: Marked, gone: ReadonlySet<string>): void {
  const ids = marked.ids.filter((id) => !gone.has(id))
  store.set(list.markedAtom, ids.length ? { ...marked, ids, count: ids.length } : null)
  // They were kept because they were marked: what is known of them ages from now on.
  list.dropped([...gone])
  const left = ids.length ? `${wholeNumber(ids.length)} selected` : 'nothing selected'
  announce(`${wholeNumber(gone.size)} no longer in this list: ${left}`)
}
