import { changes } from '#kernel/command.ts'
import { commandById } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { ownChangeAtom } from '#portal/records/freshness.ts'
import { watchDrawn } from '#portal/list/drawn.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, tabListAtom } from '#portal/list/lists.ts'
import { record } from '#portal/records/entity-store.ts'

/**
 * Reads the count and the sums of lists anew after a change of one row, by this person or, as far as the rows on screen tell,
 * by others. After a plan, which may touch more, the list is read whole.
 */
export function watchSums(): () => void {
  const stopOwn = store.sub(ownChangeAtom, () => {
    const command = commandById(store.get(ownChangeAtom)?.command ?? '')
    if (command && changes(command) && command.plan) return
    for (const at of [mainListAtom, tabListAtom]) {
      const list = store.get(at)
      if (list?.definition.source.totals) list.count(true)
    }
  })
  const stopOthers = watchDrawn(watchOthers)
  return () => {
    stopOwn()
    stopOthers()
  }
}

/** Counts a list anew where rows that are read again unasked are others than they were, or not what they were. */
function watchOthers(list: List): () => void {
  const { pages, rows } = list
  let known = new Map<string, unknown>()
  const look = () => {
    const before = known
    known = new Map(pages.loaded().map((id) => [id, record(rows, id)]))
    if (!pages.unasked) {
      // What somebody scrolls to is new here; what was here already is compared when it is read again.
      for (const [id, row] of before) if (known.has(id)) known.set(id, row)
      return
    }
    const same = before.size === known.size && [...known].every(([id, row]) => before.get(id) === row)
    if (!same) list.count(true)
  }
  look()
  return store.sub(list.rowsAtom, look)
}
