import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { Chips } from '#portal/list/chips.tsx'
import { detail } from '#portal/panes/detail-later.ts'
import { Grid } from '#portal/list/grid.tsx'
import type { GridAction } from '#portal/list/grid-keys.ts'
import { Part } from '#portal/panes/later.tsx'
import { ListNotice } from '#portal/list/list-notice.tsx'
import type { AnyPane } from '#portal/list/pane.ts'
import { PaneHead } from '#portal/list/pane-head.tsx'
import { focusRecord } from '#portal/state/focus.ts'
import { cursorAtom, watchList } from '#portal/list/list.ts'
import { placeAtom } from '#portal/state/location.ts'
import { openPalette } from '#portal/state/palette.ts'
import { paneAtom } from '#portal/list/panes.ts'
import { copyRows } from '#portal/list/copy.ts'
import { closeRecord, openRecord } from '#portal/list/cursor.ts'
import { clearMarks, markAll } from '#portal/list/marks.ts'
import { wideAtom } from '#portal/record/wide.ts'
import { startCommand } from '#portal/state/start.ts'
import { store } from '#portal/state/store.ts'
import '#portal/list/grid.css'
import '#portal/list/pane.css'

/** Opens the row under the cursor through its own command; what is open already takes the whole width. */
function openRow(pane: AnyPane): void {
  const open = store.get(placeAtom)?.id ?? null
  const id = store.get(cursorAtom).id ?? open
  if (id === null) return
  if (open === id) store.set(wideAtom, true)
  else startCommand(`${pane.entity.name}.open`, { targets: { entity: pane.entity.name, ids: [id], filter: null, count: 1 } })
  focusRecord()
}

/** Shows the record beside the list and leaves the keyboard where it is; once more takes it away. */
function peek(): void {
  const { id } = store.get(cursorAtom)
  if (store.get(placeAtom)?.id) closeRecord()
  else if (id !== null) openRecord(id)
}

/** Escape: first what is marked, then the record. */
const stepBack = (): boolean => {
  if (clearMarks()) return true
  if (!store.get(placeAtom)?.id) return false
  closeRecord()
  return true
}

/** A list, and beside it the record that is open. */
export function PaneScreen() {
  const pane = useAtomValue(paneAtom, { store }) as AnyPane | null
  return pane ? <OpenPane key={pane.name} pane={pane} /> : null
}

function OpenPane({ pane }: { pane: AnyPane }) {
  const open = useAtomValue(placeAtom, { store })?.id ?? null
  const wide = useAtomValue(wideAtom, { store }) && open !== null
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => watchList(), [])
  useEffect(() => {
    if (open === null) store.set(wideAtom, false)
  }, [open])
  useEffect(() => {
    if (document.activeElement !== document.body) return
    if (store.get(placeAtom)?.id) focusRecord()
    else list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }, [])

  const onAction = (does: GridAction['does']): boolean => {
    switch (does) {
      case 'open':
        openRow(pane)
        return true
      case 'peek':
        peek()
        return true
      case 'mark-all':
        markAll()
        return true
      case 'copy':
        if (getSelection()?.toString()) return false
        void copyRows()
        return true
      case 'search':
        openPalette({ kind: 'root' }, '/')
        return true
      case 'escape':
        return stepBack()
      default:
        return false
    }
  }

  const onPick = (clicks: 1 | 2) => {
    const { id } = store.get(cursorAtom)
    if (id === null) return
    if (clicks === 2) store.set(wideAtom, true)
    if (store.get(placeAtom)?.id !== id) openRecord(id)
  }

  return (
    <div className={`work${open === null ? '' : wide ? ' work-wide' : ' work-split'}`}>
      <title>{`${pane.title} - Admin Portal`}</title>
      <div className="pane" ref={list} hidden={wide}>
        <PaneHead pane={pane} />
        <Chips />
        <Grid label={pane.title} onAction={onAction} onPick={onPick} />
        <ListNotice pane={pane} />
      </div>
      {open !== null && <Part of={detail} props={{ pane, id: open }} />}
    </div>
  )
}
