import { changes } from '#kernel/command.ts'
import { commandById } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { ownChangeAtom } from '#portal/records/freshness.ts'
import { watchDrawn } from '#portal/list/drawn.ts'
import type { List } from '#portal/list/list.ts'
import { drawnListAtoms } from '#portal/list/lists.ts'
import { record } from '#portal/records/entity-store.ts'

/**
 * Refetches the count and the sums of lists after one row changed, by this user or, as far as the rows on screen show, by others.
 * After a plan, which may change more, the list is refetched.
 */
export function watchSums(): () => void {
  const stopOwn = store.sub(ownChangeAtom, () => {
    const command = commandById(store.get(ownChangeAtom)?.command ?? '')
    if (command && changes(command) && command.plan) return
    for (const at of drawnListAtoms) {
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

/** Counts a list again if a background refresh brought other rows or changed rows. */
function watchOthers(list: List): () => void {
  const { pages, rows } = list
  let known = new Map<string, unknown>()
  const look = () => {
    const before = known
    known = new Map(pages.loaded().map((id) => [id, record(rows, id)]))
    if (!pages.unasked) {
      // Rows that were scrolled to are new here; known rows are compared when they are read again.
      for (const [id, row] of before) if (known.has(id)) known.set(id, row)
      return
    }
    const same = before.size === known.size && [...known].every(([id, row]) => before.get(id) === row)
    if (!same) list.count(true)
  }
  look()
  return store.sub(list.rowsAtom, look)
}
