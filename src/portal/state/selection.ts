import { atom } from 'jotai/vanilla'
import type { Selection } from '#kernel/situation.ts'
import { thingAtom } from '#portal/state/things.ts'

/** Rows a person has marked, in the order of the list; `filter` when everything that matches is. */
export interface Marked {
  entity: string
  ids: readonly string[]
  filter: Readonly<Record<string, string>> | null
  count: number | null
}
export const markedAtom = atom<Marked | null>(null)

/** The row under the cursor, or the record that is open. */
export const activeAtom = atom<{ entity: string; id: string } | null>(null)

/** What commands act on: the marked rows, else the active one. */
export const selectionAtom = atom<Selection | null>((get) => {
  const marked = get(markedAtom)
  const active = get(activeAtom)
  const chosen = marked && (marked.ids.length || marked.filter) ? marked : null
  if (!chosen && !active) return null
  const entity = chosen?.entity ?? (active as { entity: string }).entity
  const ids = chosen ? chosen.ids : [(active as { id: string }).id]
  const rows = new Map<string, unknown>()
  for (const id of ids) {
    const row = get(thingAtom(entity, id))
    if (row !== undefined) rows.set(id, row)
  }
  return {
    entity,
    ids,
    rows,
    filter: chosen?.filter ?? null,
    count: chosen ? chosen.count : 1,
    how: chosen ? 'marked' : 'active',
  }
})
