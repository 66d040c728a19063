import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import type { ReactNode } from 'react'
import type { AnyEndpoint } from '#contract/define.ts'
import { lacking } from '#domain/permissions.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/app/store.ts'
import { tabListAtom } from '#portal/list/lists.ts'
import { thingAtom } from '#portal/records/things.ts'
import { heldAtom } from '#portal/session/session.ts'

/** A tab with a list and what stands around it. Where the list cannot be had it stands alone, and says why. */
export function AroundList({
  endpoint,
  above,
  list,
  below,
}: { endpoint: AnyEndpoint } & Record<'above' | 'list' | 'below', ReactNode>) {
  const held = useAtomValue(heldAtom, { store })
  const offered = useAtomValue(offersAtom, { store })(endpoint)
  if (!offered || lacking(held, endpoint.needs).length > 0) return list
  return (
    <div className="tab-around-list">
      <div className="tab-part">{above}</div>
      {list}
      {below}
    </div>
  )
}

const nowhere = atom<{ id: string | null }>({ id: null })

/** The row under the cursor of the list in the tab, of this kind; the first one while the cursor is on none. */
export function useRowAtCursor<Row>(kind: string): { id: string | null; row: Row | undefined } {
  const list = useAtomValue(tabListAtom, { store })
  const cursor = useAtomValue(list?.cursorAtom ?? nowhere, { store })
  // What is loaded may change which row is the first.
  useAtomValue<unknown>(list?.rowsAtom ?? nowhere, { store })
  const id = cursor.id ?? list?.pages.idAt(0) ?? null
  return { id, row: useAtomValue(thingAtom(kind, id ?? ''), { store }) as Row | undefined }
}
