import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { searchNow, typeSearch } from '#portal/list/change.ts'
import type { List } from '#portal/list/list.ts'
import { focusList } from '#portal/list/lists.ts'
import { openFilters } from '#portal/platform/commands.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

interface TabsProps {
  label: string
  tabs: readonly { id: string; title: string }[]
  now: string | undefined
  choose: (id: string) => void
}

/** Tabs in the header of a list: Left and Right move between them. */
function Tabs({ label, tabs, now, choose }: TabsProps) {
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((each) => each.id === now)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next) choose(next.id)
    const drawn = event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')
    drawn[(at + step + drawn.length) % drawn.length]?.focus()
  }
  return (
    <div role="tablist" aria-label={label} className="pane-views" onKeyDown={keys}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === now}
          tabIndex={id === now ? 0 : -1}
          onClick={() => choose(id)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

/** Related lists as tabs, opened through their commands. */
function ListsBeside({ list }: { list: List }) {
  const { beside = [], entity } = list.definition
  if (beside.length === 0) return null
  const tabs = beside.map(({ title, path }) => ({ id: path, title }))
  const choose = (path: string) => path !== entity?.path && startCommand(`open.${path.slice(1)}`)
  return <Tabs label="Lists" tabs={tabs} now={entity?.path} choose={choose} />
}

/** The named views of the list, chosen by a click or `[` and `]`. */
function NamedViews({ list }: { list: List }) {
  const now = useAtomValue(list.namedAtom, { store })
  const named = useAtomValue(list.viewsAtom, { store })
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (now) group.current?.querySelector('[aria-pressed=true]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [now])
  if (named.length === 0) return null
  return (
    <fieldset ref={group} className="pane-views pane-named" aria-label="Views">
      {named.map(({ id, title, note }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === now?.id}
          title={note}
          onClick={() => startCommand('list.view', { params: { view: id }, complete: true })}
        >
          {title}
          {note && <Icon name="users" size={13} />}
        </button>
      ))}
    </fieldset>
  )
}

/** The search of the list; Enter searches at once, Escape clears it, then returns to the rows. */
function Search({ list }: { list: List }) {
  const { many } = list.definition
  const q = useAtomValue(list.searchAtom, { store }).get('q') ?? ''
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The text of the field belongs to the user while they type; back, forward and a removed chip change it otherwise.
    if (field.current && document.activeElement !== field.current) field.current.value = q
  }, [q])
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const { value } = event.currentTarget
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      searchNow(list, value)
      focusList(list)
    } else if (event.key === 'Escape') {
      if (value) event.currentTarget.value = ''
      else focusList(list)
      searchNow(list, '')
    } else return
    event.preventDefault()
  }
  return (
    <input
      ref={field}
      type="text"
      role="searchbox"
      className="pane-search"
      aria-label={`Search ${many}`}
      placeholder="Search"
      defaultValue={q}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => typeSearch(list, event.currentTarget.value)}
      onKeyDown={keys}
    />
  )
}

/** Header of a list: title (except in a tab), column sets, search, filter and columns. */
export function PaneHead({ list }: { list: List }) {
  const { title, filters, searched } = list.definition
  const shortcut = useShortcut()
  return (
    <div className={list.leads ? 'pane-head' : 'pane-head pane-head-tab'}>
      {list.leads && <h1>{title}</h1>}
      <ListsBeside list={list} />
      <NamedViews list={list} />
      <div className="pane-tools">
        {searched && <Search list={list} />}
        {(filters.length > 0 || searched) && (
          <button type="button" className="tool" onClick={openFilters} aria-label="Filter" aria-keyshortcuts={shortcut('/')}>
            <Icon name="filter" />
            <span className="tool-word">Filter</span>
            <Kbd chord="/" />
          </button>
        )}
        <button type="button" className="tool" onClick={() => startCommand('view.columns')} aria-label="Columns">
          <Icon name="columns" />
          <span className="tool-word">Columns</span>
        </button>
      </div>
    </div>
  )
}
