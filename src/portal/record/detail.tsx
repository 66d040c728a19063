import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { eventWords } from '#domain/employee-event.ts'
import { backToLine } from '#portal/record/return.ts'
import { DetailActions } from '#portal/record/detail-actions.tsx'
import { dateAndTime } from '#portal/format/dates.ts'
import { RecordTabs } from '#portal/record/record-tabs.tsx'
import { Part } from '#portal/ui/later.tsx'
import { Waiting } from '#portal/record/waiting.tsx'
import type { AnyPane } from '#portal/list/pane.ts'
import { useRecord } from '#portal/record/use-record.ts'
import { elsewhereAtom, forgetElsewhere } from '#portal/records/freshness.ts'
import { focusHere, focusSoon, focusWorkSoon, sideAtom } from '#portal/keyboard/focus.ts'
import { type DetailAction, detailKeys, reader } from '#portal/keyboard/fixed-keys.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { locationAtom, setSearch, type Side, tabParameter } from '#portal/platform/location.ts'
import { openFilters } from '#portal/platform/commands.ts'
import { closeBeside } from '#portal/list/beside.ts'
import { closeRecord, nextRecord } from '#portal/list/cursor.ts'
import { focusList, mainListAtom, tabListAtoms, tabWantedAtom } from '#portal/list/lists.ts'
import { clearMarks } from '#portal/list/marks.ts'
import { bodyId, tabId, useSide } from '#portal/record/side.ts'
import { wideAtom } from '#portal/record/wide.ts'
import { store } from '#portal/platform/store.ts'
import '#portal/ui/command-icons.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Status } from '#portal/ui/status.tsx'

const detailKey = reader(detailKeys)

/** Closes the record: the focus returns to the list and the same row, or to the list in a tab that the record was opened from. */
function back(): void {
  store.set(wideAtom, false)
  if (backToLine()) return
  closeRecord()
  focusWorkSoon()
}

/** Focuses the list in the tab, if there is one. */
function focusTabList(side: Side): void {
  const list = store.get(tabListAtoms[side])
  if (list) focusList(list)
}

/** Focuses the list in a tab as soon as it is rendered, so that keys act on its active row. Without a list, the record. */
function focusTabSoon(tab: string): void {
  const body = `[aria-labelledby="${tabId('main', tab)}"]`
  focusSoon(`${body} [role="grid"], [data-region="detail"]:has(> ${body}):not(:has(.tab-list, .waiting))`)
}

/** Escape: closes the record beside; on the open one first clears the marks, then leaves full width, then closes it. */
function stepBack(side: Side): void {
  if (side === 'beside') closeBeside()
  else if (clearMarks(store.get(mainListAtom))) return
  else if (store.get(wideAtom)) store.set(wideAtom, false)
  else back()
}

/** The notice that somebody else changed the record: who, when, which fields. */
function Elsewhere({ pane, id }: { pane: AnyPane; id: string }) {
  const elsewhere = useAtomValue(elsewhereAtom, { store })
  const [last, ...others] = elsewhere?.id === id ? elsewhere.changes : []
  if (!last) return null
  const fields = [...new Set([last, ...others].flatMap((change) => change.fields))].map((field) =>
    pane.words.field(field).toLowerCase(),
  )
  return (
    <p className="detail-line" role="status">
      <span>
        {last.by} changed this {dateAndTime(last.at)}: {eventWords(last.what)}
        {fields.length > 0 && ` (${fields.join(', ')})`}
        {others.length > 0 && `, and ${others.length} more`}
      </span>
      <button type="button" className="btn btn-quiet ml-auto" onClick={forgetElsewhere}>
        Dismiss
      </button>
    </p>
  )
}

/** One record: title, tabs, and actions. */
export function Detail({ pane, id }: { pane: AnyPane; id: string }) {
  const side = useSide()
  const isHere = useAtomValue(sideAtom, { store }) === side
  const { one, failure, again } = useRecord(pane.entity, id, side)
  const search = useAtomValue(locationAtom, { store }).searchParams
  const tab = pane.tabs.find((each) => each.id === search?.get(tabParameter(side))) ?? pane.tabs[0]
  const list = useAtomValue(tabListAtoms[side], { store })
  const box = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
    // Whatever closed it, the focus goes to the list.
    return () => {
      if (document.activeElement === document.body) focusHere()
    }
  }, [])
  const wanted = useAtomValue(tabWantedAtom, { store })
  useEffect(() => {
    if (!wanted || side === 'beside') return
    store.set(tabWantedAtom, false)
    if (tab) focusTabSoon(tab.id)
  }, [wanted, tab, side])
  const choose = (chosen: string | undefined) => {
    // Moves the focus out of the tab that is about to be removed.
    if (body.current?.contains(document.activeElement)) box.current?.focus({ preventScroll: true })
    setSearch({ [tabParameter(side)]: chosen === pane.tabs[0]?.id ? null : (chosen ?? null) }, { replace: true })
  }

  /** Runs an action; false if the key belongs to the focused part of the record. */
  const act = (action: DetailAction | null, key: string, own: boolean): boolean => {
    const scroll = (by: number) => body.current?.scrollBy({ top: by })
    const numbered = action === 'tab' && pane.tabs[Number(key) - 1]
    if (action === 'back') stepBack(side)
    // The list is that of the open record.
    else if (side === 'beside' && (action === 'next' || action === 'previous' || action === 'wide')) return false
    else if (action === 'next' || action === 'previous') nextRecord(action === 'next' ? 1 : -1)
    else if (action === 'search') openFilters()
    // The number of the open tab moves the focus into its list.
    else if (numbered) numbered === tab ? focusTabList(side) : choose(numbered.id)
    else if (!own) return false
    else if (action === 'wide') store.set(wideAtom, (wide) => !wide)
    else if (action === 'down' && list) focusTabList(side)
    else if (action === 'down' || action === 'up') scroll(action === 'down' ? 40 : -40)
    else if (action === 'page-down' || action === 'page-up')
      scroll((action === 'page-down' ? 0.9 : -0.9) * (body.current?.clientHeight ?? 0))
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented) return
    const action = detailKey(event.nativeEvent, store.get(lettersAtom))
    const tabs = (event.target as Element).closest('[role="tablist"]')
    const own = event.target === box.current
    if ((own || tabs) && (action === 'next-tab' || action === 'previous-tab')) {
      const next = pane.tabs.at(
        (pane.tabs.findIndex(({ id }) => id === tab?.id) + (action === 'next-tab' ? 1 : -1)) % pane.tabs.length,
      )
      choose(next?.id)
    } else if (!act(action, event.key, own)) return
    event.preventDefault()
  }

  const title = one === undefined ? `${pane.entity.one} ${id}` : pane.entity.title(one)
  return (
    <section
      ref={box}
      className="detail"
      data-region="detail"
      data-side={side}
      data-here={isHere || undefined}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={onKeyDown}
    >
      <header className="detail-head">
        <h2>{one === undefined ? <span className="text-muted">{id}</span> : title}</h2>
        <div className="detail-sub">
          {one !== undefined && pane.entity.status && (
            <Status of={pane.entity.status.states} state={pane.entity.status.of(one)} />
          )}
          {one !== undefined && pane.sub(one)}
          {one === undefined && !failure && <Waiting lines={1} />}
        </div>
      </header>
      <RecordTabs pane={pane} open={tab?.id} label={`About ${title}`} choose={choose} />
      <Elsewhere pane={pane} id={id} />
      <div
        ref={body}
        className="detail-body"
        id={bodyId(side)}
        role="tabpanel"
        // A scroll container must be reachable by keyboard; a list in a tab scrolls by itself.
        tabIndex={list === null ? 0 : undefined}
        aria-labelledby={tabId(side, tab?.id ?? '')}
        aria-busy={one === undefined && !failure}
      >
        {failure ? (
          <div className="detail-failed" role="alert">
            <p className="flex gap-2">
              <Icon name="alert" className="text-bad" /> {failure.sentence}
            </p>
            {failure.detail && <p className="text-muted">{failure.detail}</p>}
            <p className="flex gap-2">
              <button type="button" className="btn" onClick={again}>
                Try again
              </button>
              <button type="button" className="btn" onClick={side === 'main' ? back : closeBeside}>
                Back <Kbd chord="Escape" />
              </button>
            </p>
          </div>
        ) : one === undefined || !tab ? (
          <Waiting />
        ) : (
          <Part key={tab.id} of={tab.body} props={{ one }} waiting={<Waiting />} />
        )}
      </div>
      {one === undefined ? <div className="detail-acts detail-acts-wait" /> : <DetailActions entity={pane.entity} id={id} />}
    </section>
  )
}
