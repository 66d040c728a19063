import { useAtomValue } from 'jotai'
import { type ComponentType, useEffect, useMemo, useRef } from 'react'
import { rightLacked } from '#domain/permissions.ts'
import { notOffered } from '#kernel/availability.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import type { Lead, ListDefinition } from '#portal/list/definition.ts'
import { openBeside } from '#portal/list/beside.ts'
import { moveTo, placeAfter } from '#portal/list/cursor.ts'
import type { List } from '#portal/list/list.ts'
import { ListView } from '#portal/list/list-view.tsx'
import { offered } from '#portal/list/supported.ts'
import { listOf, takeTab } from '#portal/list/lists.ts'
import type { Column, Pane } from '#portal/list/pane.ts'
import { canAskAtom, capabilitiesAtom } from '#portal/api/capabilities.ts'
import { openActions } from '#portal/platform/commands.ts'
import { refreshRecord } from '#portal/records/load-record.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { focusSoon, recordOn, regionAtom, sideAtom } from '#portal/keyboard/focus.ts'
import { focusTabListSoon, rememberLine } from '#portal/record/return.ts'
import { useSide } from '#portal/record/side.ts'
import { entityByName, registerEntity, registerRowKind } from '#portal/platform/registry.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { besidePrefix, setSearch, tabParameter } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { rememberWay } from '#portal/platform/return-to-list.ts'
import { oneTarget } from '#portal/list/target.ts'
import { record, recordAtom } from '#portal/records/entity-store.ts'
import { heldAtom } from '#portal/api/session.ts'

/** Properties of a list in a tab that do not follow from the noun of its rows. */
interface TabListOf<Row>
  extends Pick<ListDefinition, 'title' | 'source'>,
    Partial<Pick<ListDefinition, 'filters' | 'sorts' | 'named' | 'failed' | 'madeLater'>> {
  many: string
  none: string
  columns: readonly Column<Row>[]
  /** Ids of the columns shown by default; all of them if omitted. */
  shown?: readonly string[]
  newestFirst?: true
  searched?: boolean
  /** What Enter opens, for rows that are not records. */
  leadsTo?: (row: Row) => Lead | null
  /** The noun that rows lead to, if commands on a row apply to that. */
  standsFor?: AnyEntity
}

/** The location of a list in a tab: `tab` is the id of the tab, and the prefix of its parameters in the address. */
interface TabOf<T> {
  of: AnyEntity
  tab: string
  rows: AnyEntity | ListDefinition['rowKind']
  /** Evaluated once per record. */
  // biome-ignore lint/suspicious/noExplicitAny: a row of any noun; no field of it is read
  list: (one: T) => TabListOf<any>
}

/** The list of another noun restricted to the record: with its sorts, search and commands, and further filters. */
export const narrowed = <Row,>(
  pane: Pane<Row>,
  query: Readonly<Record<string, string>>,
  more: Pick<TabListOf<Row>, 'none' | 'shown' | 'filters'> & {
    columns?: readonly Column<Row>[]
    /** A call of the record for these rows, if it has one. */
    source?: Pick<ListDefinition['source'], 'endpoint' | 'at' | 'inWhole'>
  },
): TabListOf<Row> => ({
  title: pane.title,
  many: pane.many,
  filters: (more.filters ?? pane.filters).filter(({ params }) => {
    const names = Object.values(params).flatMap((each) => each ?? [])
    const { endpoint } = more.source ?? pane.source
    return names.every((each) => each in endpoint.query.shape && !(each in query))
  }),
  sorts: pane.sorts,
  ...(pane.newestFirst ? { newestFirst: true } : {}),
  ...(pane.madeLater ? { madeLater: true } : {}),
  searched: true,
  source: { ...pane.source, ...more.source, query: () => query, totals: undefined },
  columns: [...pane.columns, ...(more.columns ?? [])],
  ...(more.shown ? { shown: more.shown } : {}),
  none: more.none,
})

const isEntity = (kind: AnyEntity | ListDefinition['rowKind']): kind is AnyEntity => 'kind' in kind

/** Declares the list in a record's tab: the same as a noun's own list, in the scope of the record. */
export function tabList<T>(at: TabOf<T>): ComponentType<{ one: T }> {
  // The noun of its rows may not be loaded yet.
  if (isEntity(at.rows)) registerEntity(at.rows)
  else registerRowKind(at.rows)
  return ({ one }) => <TabList at={at} one={one} />
}

function definitionOf<T>({ of, tab, rows, list }: TabOf<T>, one: T): ListDefinition {
  const { standsFor, ...rest } = list(one)
  const stoodFor = (id: string): readonly string[] => {
    const row = record(rows.name, id)
    const to = row === undefined ? null : rest.leadsTo?.(row)
    return to && 'entity' in to && to.entity === standsFor ? [to.id] : []
  }
  const whole: ListDefinition = {
    name: `${of.name}.${tab}`,
    rowKind: rows,
    entity: isEntity(rows) ? rows : null,
    searched: false,
    filters: [],
    sorts: [],
    shown: rest.columns.map((column) => column.id),
    ...rest,
    ...(standsFor && {
      standsFor: (ids) => {
        const stood = ids.flatMap(stoodFor)
        return stood.length > 0 ? { entity: standsFor.name, ids: stood } : null
      },
    }),
  }
  return offered(whole, store.get(capabilitiesAtom))
}

/** The list, or why it is not available: the API may not have the call, or the user not the permission. */
function TabList<T>({ at, one }: { at: TabOf<T>; one: T }) {
  const id = at.of.id(one)
  const prefix = `${useSide() === 'beside' ? besidePrefix : ''}${at.tab}-`
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the same record keeps its list
  const list = useMemo(() => listOf(definitionOf(at, one), { prefix, of: { entity: at.of.name, id } }), [at, id, prefix])
  const { endpoint, query } = list.definition.source
  const held = useAtomValue(heldAtom, { store })
  if (!useAtomValue(canAskAtom, { store })(endpoint, query?.(id))) return <p className="text-muted">{notOffered}</p>
  const lacks = rightLacked(held, endpoint.needs)
  if (lacks) return <p className="text-muted">Needs {lacks}</p>
  return <Rows key={id} list={list} version={at.of.version(one)} />
}

/** Opens the row under the cursor, or what it leads to; for rows without a page, their actions. */
function openRow(list: List): void {
  const { entity, leadsTo } = list.definition
  const { id } = store.get(list.cursorAtom)
  if (id === null) return
  // A row without a page only has actions.
  if (entity && !entity.pane) {
    openActions()
    return
  }
  const to = entity ? { entity, id } : leadsTo?.(record(list.rows, id))
  const { of } = list.scope
  if (!to) return
  if ('run' in to) {
    // Moves on to the row below, the next one in a list of steps.
    rememberWay(to.run, () => {
      moveTo(list, placeAfter(list, [1]))
      list.refresh()
      focusTabListSoon()
    })
    const targets = 'on' in to ? { targets: oneTarget(to.on.entity.name, to.on.id) } : {}
    startCommand(to.run, { ...targets, ...(to.params ? { params: to.params } : {}) })
    return
  }
  if ('tab' in to) setSearch({ [tabParameter(list.side)]: to.tab })
  else if ('command' in to) of && startCommand(`${to.command}.${of.entity}`, { targets: oneTarget(of.entity, of.id) })
  else if (list.side === 'beside') openBeside(to.entity, to.id)
  else {
    rememberLine(list)
    startCommand(openCommand(to.entity), { targets: oneTarget(to.entity.name, to.id) })
  }
  if (!('command' in to)) focusSoon(recordOn(list.side))
}

/** Opens the record of the row under the cursor beside the open one; any other row as usual. */
function openRowBeside(list: List): void {
  const { entity, leadsTo } = list.definition
  const { id } = store.get(list.cursorAtom)
  const to = id === null ? null : entity ? { entity, id } : leadsTo?.(record(list.rows, id))
  if (to && 'entity' in to && to.entity.pane) openBeside(to.entity, to.id)
  else openRow(list)
}

/** Debounce in milliseconds for reading the record of a row: a held key passes many. */
const restMilliseconds = 100

/**
 * Loads the record that the row under the cursor stands for, so that its available commands are known. When a command changes
 * that record, the rows are refetched.
 */
function useStoodFor(list: List, inTab: boolean): void {
  const { id } = useAtomValue(list.cursorAtom, { store })
  const { entity: name, ids } = (inTab && id !== null && list.definition.standsFor?.([id])) || { entity: '', ids: [] }
  const [about] = ids
  // A failed read is reported when a command runs on the record.
  useQuery((signal) => refreshRecord(entityByName(name), about ?? '', signal), about === undefined ? null : [name, about], {
    rest: restMilliseconds,
  })
  useEffect(() => {
    if (about === undefined) return
    const entity = entityByName(name)
    const at = recordAtom(name, about)
    let known = store.get(at)
    return store.sub(at, () => {
      const now = store.get(at)
      if (known !== undefined && now !== undefined && entity.version(now) > entity.version(known)) list.refresh()
      known = now
    })
  }, [list, name, about])
}

function Rows({ list, version }: { list: List; version: number }) {
  useEffect(() => takeTab(list), [list])
  const isHere = useAtomValue(sideAtom, { store }) === list.side
  const inTab = useAtomValue(regionAtom, { store }) === 'tab' && isHere
  useStoodFor(list, inTab)
  // A new version of the record may have changed its rows. The first version is covered by the list's own load.
  const shown = useRef(version)
  useEffect(() => {
    if (shown.current === version) return
    shown.current = version
    list.refresh()
  }, [list, version])
  const open = () => openRow(list)
  const leave = () => {
    focusSoon(recordOn(list.side))
    return true
  }
  return (
    <div className="pane tab-list" data-here={inTab || undefined}>
      <ListView
        list={list}
        label={list.definition.title}
        open={open}
        beside={() => openRowBeside(list)}
        peek={open}
        leave={leave}
        onPick={(clicks) => clicks === 2 && open()}
      />
    </div>
  )
}
