import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { capitalize } from '#domain/text.ts'
import { openCommand } from '#kernel/entity.ts'
import { openBeside } from '#portal/list/beside.ts'
import { closeRecord, openRecord } from '#portal/list/cursor.ts'
import type { List } from '#portal/list/list.ts'
import { ListView } from '#portal/list/list-view.tsx'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import { besideRecord, detail } from '#portal/record/later.ts'
import { Part } from '#portal/ui/later.tsx'
import { recordAtom } from '#portal/records/entity-store.ts'
import { wideAtom } from '#portal/record/wide.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { besideAtom, placeAtom } from '#portal/platform/location.ts'
import { startCommand } from '#portal/commands/start.ts'
import { store } from '#portal/platform/store.ts'
import { oneTarget } from '#portal/list/target.ts'
import '#portal/list/pane.css'

const openId = (): string | null => store.get(placeAtom)?.id ?? null

/** Opens the row under the cursor through its own command; a record that is already open gets the full width. */
function openRow(list: List, { entity }: AnyPane): void {
  const open = openId()
  const id = store.get(list.cursorAtom).id ?? open
  if (id === null) return
  if (open === id) store.set(wideAtom, true)
  else startCommand(openCommand(entity), { targets: oneTarget(entity.name, id) })
  focusRecord()
}

/** Opens the row under the cursor beside what is open. */
function openRowBeside(list: List, { entity }: AnyPane): void {
  const { id } = store.get(list.cursorAtom)
  if (id !== null) openBeside(entity, id)
}

/** Shows the record beside the list and keeps the focus; pressed again, closes it. */
function peek(list: List): void {
  const { id } = store.get(list.cursorAtom)
  if (openId()) closeRecord()
  else if (id !== null) openRecord(id)
}

const leave = (): boolean => {
  if (!openId()) return false
  closeRecord()
  return true
}

/** The layout: a list alone, with a record, with two, or with only the second one. */
function layoutOf(open: string | null, wide: boolean, beside: boolean): string {
  if (beside) return open === null ? 'work work-split work-beside' : `work work-two${wide ? ' work-wide' : ''}`
  return open === null ? 'work' : `work ${wide ? 'work-wide' : 'work-split'}`
}

/** A list, the open record beside it, and the record beside that. */
export function PaneScreen() {
  const list = useAtomValue(mainListAtom, { store })
  const open = useAtomValue(placeAtom, { store })?.id ?? null
  const wide = useAtomValue(wideAtom, { store }) && open !== null
  const beside = useAtomValue(besideAtom, { store }) !== null
  useEffect(() => watchMainList(), [])
  if (!list) return null
  return (
    <div className={layoutOf(open, wide, beside)}>
      <OpenPane
        key={list.definition.name}
        list={list}
        pane={list.definition as AnyPane}
        open={open}
        wide={wide}
        beside={beside}
      />
      {beside && <Part of={besideRecord} props={{}} />}
    </div>
  )
}

const once = { capture: true, once: true }

/** The second click of a double-click opens the record at full width. */
function secondClick(event: MouseEvent): void {
  if (event.detail < 2) return
  event.stopPropagation()
  store.set(wideAtom, true)
}

/** The title of the browser tab: the open record, by its id until its name is loaded, and the list. */
function Title({ pane: { entity, title }, open }: { pane: AnyPane; open: string | null }) {
  const one = useAtomValue(recordAtom(entity.name, open ?? ''), { store })
  const record = open === null ? [] : [one === undefined ? `${capitalize(entity.one)} ${open}` : entity.title(one)]
  return <title>{[...record, title, 'Admin Portal'].join(' - ')}</title>
}

interface OpenPaneProps {
  list: List
  pane: AnyPane
  open: string | null
  wide: boolean
  /** Whether a record is open beside. */
  beside: boolean
}

function OpenPane({ list, pane, open, wide, beside }: OpenPaneProps) {
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (open === null) store.set(wideAtom, false)
  }, [open])
  useEffect(() => {
    // Only if the page itself has the focus, as before the list was rendered.
    if (!document.activeElement?.matches('body, [data-region=work]')) return
    if (openId()) focusRecord()
    else box.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }, [])

  // Two records may take the room of the list that has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout may hide the list
  useLayoutEffect(() => {
    const pane = box.current
    if (pane?.contains(document.activeElement) && !pane.checkVisibility()) focusRecord()
  }, [open, beside])

  const onPick = (clicks: 1 | 2) => {
    const { id } = store.get(list.cursorAtom)
    if (id === null) return
    if (clicks === 2) store.set(wideAtom, true)
    if (openId() === id) return
    openRecord(id)
    // The second click of a double-click would otherwise hit the record, which opens under the pointer.
    addEventListener('click', secondClick, once)
  }

  return (
    <>
      <Title pane={pane} open={open} />
      <div className="pane" ref={box} hidden={wide}>
        <ListView
          list={list}
          label={pane.title}
          open={() => openRow(list, pane)}
          beside={() => openRowBeside(list, pane)}
          peek={() => peek(list)}
          leave={leave}
          onPick={onPick}
        />
      </div>
      {open !== null && <Part of={detail} props={{ pane, id: open }} />}
    </>
  )
}
