import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { besidePaneAtom, loadPane } from '#portal/list/panes.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import { besideAtom } from '#portal/platform/location.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { Detail } from '#portal/record/detail.tsx'
import { SideContext } from '#portal/record/side.ts'
import '#portal/record/beside-record.css'

/** The record beside the open one, with its own tabs and keys. */
export function BesideRecord() {
  const place = useAtomValue(besideAtom, { store })
  const pane = useAtomValue(besidePaneAtom, { store })
  const missing = place && !pane ? place.entity : null
  useEffect(() => {
    if (missing !== null) void loadPane(entityByName(missing).path.slice(1)).catch(() => {})
  }, [missing])
  if (!place?.id || !pane) return null
  return (
    <SideContext value="beside">
      <Detail pane={pane as AnyPane} id={place.id} />
    </SideContext>
  )
}
