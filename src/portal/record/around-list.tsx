import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import type { ReactNode } from 'react'
import type { AnyEndpoint } from '#contract/define.ts'
import { lacking } from '#domain/permissions.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { tabListAtoms } from '#portal/list/lists.ts'
import { useSide } from '#portal/record/side.ts'
import { record, recordAtom } from '#portal/records/entity-store.ts'
import { heldAtom } from '#portal/api/session.ts'

/**
 * A tab with a list and the content around it. If the list fails to load it is alone and says why; `otherwise` replaces it if the
 * API does not have it.
 */
export function AroundList({
  endpoint,
  above,
  list,
  below,
  otherwise,
}: {
  endpoint: AnyEndpoint
  above?: ReactNode
  list: ReactNode
  below: ReactNode
  otherwise?: ReactNode
}) {
  const held = useAtomValue(heldAtom, { store })
  const offered = useAtomValue(capabilitiesAtom, { store })(endpoint)
  if (!offered && otherwise) return otherwise
  if (!offered || lacking(held, endpoint.needs).length > 0) return list
  return (
    <div className="tab-around-list">
      {above && <div className="tab-part">{above}</div>}
      {list}
      {below}
    </div>
  )
}

const nowhere = atom<{ id: string | null }>({ id: null })

/** The first row of the list in the tab, of this kind; else why there is none: loading, failed, or empty. */
export function useFirstRow<Row extends object>(kind: string): Row | 'coming' | 'failed' | 'none' {
  const list = useAtomValue(tabListAtoms[useSide()], { store })
  useAtomValue<unknown>(list?.rowsAtom ?? nowhere, { store })
  const id = list?.pages.idAt(0)
  const row = useAtomValue(recordAtom(kind, id ?? ''), { store }) as Row | undefined
  if (id !== undefined && row) return row
  if (list?.pages.error) return 'failed'
  return list?.pages.total === 0 ? 'none' : 'coming'
}

/** The loaded rows of the list in the tab, of this kind. */
export function useLoadedRows<Row>(kind: string): readonly Row[] {
  const list = useAtomValue(tabListAtoms[useSide()], { store })
  useAtomValue<unknown>(list?.rowsAtom ?? nowhere, { store })
  return (list?.rows === kind ? list.pages.loaded() : []).flatMap((id) => (record(kind, id) as Row | undefined) ?? [])
}

/** The row under the cursor of the list in the tab, of this kind; without a cursor the first one. */
export function useRowAtCursor<Row>(kind: string): { id: string | null; row: Row | undefined } {
  const list = useAtomValue(tabListAtoms[useSide()], { store })
  const cursor = useAtomValue(list?.cursorAtom ?? nowhere, { store })
  // Newly loaded rows may change which one is first.
  useAtomValue<unknown>(list?.rowsAtom ?? nowhere, { store })
  const id = cursor.id ?? list?.pages.idAt(0) ?? null
  return { id, row: useAtomValue(recordAtom(kind, id ?? ''), { store }) as Row | undefined }
}
