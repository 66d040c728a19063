import { type ComponentType, useEffect, useMemo, useRef } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import type { ListDefinition } from '#portal/list/definition.ts'
import type { List } from '#portal/list/list.ts'
import { ListView } from '#portal/list/list-view.tsx'
import { listOf, takeTab } from '#portal/list/lists.ts'
import type { Column, Pane } from '#portal/list/pane.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { registerRowKind } from '#portal/app/registry.ts'
import { startCommand } from '#portal/commands/start.ts'
import { store } from '#portal/app/store.ts'
import { oneTarget } from '#portal/commands/target.ts'
import { thing } from '#portal/records/things.ts'

/** What a list in a tab says beside what follows from the noun of its rows. */
interface TabListOf<Row> extends Pick<ListDefinition, 'title' | 'source'>, Partial<Pick<ListDefinition, 'filters' | 'sorts'>> {
  many: string
  none: string
  columns: readonly Column<Row>[]
  /** Ids of the columns that are shown until somebody chooses; all of them without it. */
  shown?: readonly string[]
  newestFirst?: true
  searched?: boolean
  leadsTo?: (row: Row) => { entity: AnyEntity; id: string } | null
}

/** Where a list in a tab is: `tab` is the id of the tab, and the prefix of its parameters in the address. */
interface TabOf<T> {
  of: AnyEntity
  tab: string
  rows: AnyEntity | ListDefinition['rowKind']
  /** Read anew for another record only. */
  // biome-ignore lint/suspicious/noExplicitAny: the width of every row, where no field of a noun is read
  list: (one: T) => TabListOf<any>
}

/** The list of another noun, narrowed to the record: with its filters, sorts, search and commands. */
export const narrowed = <Row,>(
  pane: Pane<Row>,
  query: Readonly<Record<string, string>>,
  more: Pick<TabListOf<Row>, 'none' | 'shown'> & { columns?: readonly Column<Row>[] },
): TabListOf<Row> => ({
  title: pane.title,
  many: pane.many,
  filters: pane.filters,
  sorts: pane.sorts,
  ...(pane.newestFirst ? { newestFirst: true } : {}),
  searched: true,
  source: { ...pane.source, query: () => query, totals: undefined },
  columns: [...(more.columns ?? []), ...(pane.views[0]?.columns ?? [])],
  ...(more.shown ? { shown: more.shown } : {}),
  none: more.none,
})

const isEntity = (kind: AnyEntity | ListDefinition['rowKind']): kind is AnyEntity => 'kind' in kind

/** Declares the list in a tab of a record: the same list as a noun's own, in the scope of the record. */
export function tabList<T>(at: TabOf<T>): ComponentType<{ one: T }> {
  if (!isEntity(at.rows)) registerRowKind(at.rows)
  return ({ one }) => <TabList at={at} one={one} />
}

function definitionOf<T>({ of, tab, rows, list }: TabOf<T>, one: T): ListDefinition {
  const { columns, shown, ...rest } = list(one)
  return {
    name: `${of.name}.${tab}`,
    rowKind: rows,
    entity: isEntity(rows) ? rows : null,
    searched: false,
    filters: [],
    sorts: [],
    views: [{ id: tab, title: rest.title, columns, shown: shown ?? columns.map((column) => column.id) }],
    ...rest,
  }
}

function TabList<T>({ at, one }: { at: TabOf<T>; one: T }) {
  const id = at.of.id(one)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer about the same record keeps its list
  const list = useMemo(() => listOf(definitionOf(at, one), { prefix: `${at.tab}-`, of: { entity: at.of.name, id } }), [at, id])
  return <Rows key={id} list={list} version={at.of.version(one)} />
}

/** Opens the row under the cursor, or what it leads to. */
function openRow(list: List): void {
  const { entity, leadsTo } = list.definition
  const { id } = store.get(list.cursorAtom)
  if (id === null) return
  const to = entity ? { entity, id } : leadsTo?.(thing(list.rows, id))
  if (!to) return
  startCommand(`${to.entity.name}.open`, { targets: oneTarget(to.entity.name, to.id) })
  focusRecord()
}

function Rows({ list, version }: { list: List; version: number }) {
  useEffect(() => takeTab(list), [list])
  // The record changed: so may have its rows. What was drawn first is read by the list itself.
  const shown = useRef(version)
  useEffect(() => {
    if (shown.current === version) return
    shown.current = version
    list.refresh()
  }, [list, version])
  const open = () => openRow(list)
  const leave = () => {
    focusRecord()
    return true
  }
  return (
    <div className="pane tab-list">
      <ListView
        list={list}
        label={list.definition.title}
        open={open}
        peek={open}
        leave={leave}
        onPick={(clicks) => clicks === 2 && open()}
      />
    </div>
  )
}
