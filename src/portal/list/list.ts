import { QueryClient } from '@tanstack/query-core'
import { atom } from 'jotai/vanilla'
import type { AnyEntity, Total } from '#kernel/entity.ts'
import { Refusal, Unanswered } from '#kernel/wire.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { columnsAtom, viewAtom } from '#portal/list/columns.ts'
import {
  dropDraft,
  goodFilters,
  listParams,
  narrowing,
  narrowingParams,
  type ReadFilter,
  readFilters,
  shownSearchAtom,
} from '#portal/list/filters.ts'
import { receive } from '#portal/state/freshness.ts'
import { locationAtom, placeAtom, setSearch } from '#portal/state/location.ts'
import { offersAtom } from '#portal/state/offers.ts'
import { type PageAnswer, type PageQuery, Pages, pageSize } from '#portal/list/pages.ts'
import { openPaneAtom, paneAtom } from '#portal/list/panes.ts'
import { markedAtom } from '#portal/list/selection.ts'
import { meAtom } from '#portal/state/session.ts'
import { store } from '#portal/state/store.ts'
import { dropThings } from '#portal/state/things.ts'
import { wire } from '#portal/state/wire.ts'

/** Milliseconds between two fetches of what is on screen. */
export const freshEvery = 30_000

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, structuralSharing: false, networkMode: 'always' } },
})

/** What the list asks the API for. */
export interface Asked {
  entity: AnyEntity
  /** Parameters of filters and search: what 'all that match' means. */
  filter: Readonly<Record<string, string>>
  sort: { id: string; order: 'asc' | 'desc' }
}

/** The filters that the address of the list sets, good ones and others. */
export const readFiltersAtom = atom<readonly ReadFilter[]>((get) => {
  const pane = get(paneAtom)
  const held = new Set(get(meAtom)?.permissions.map((permission) => permission.id))
  return pane ? readFilters(pane.entity.filters, get(shownSearchAtom), held) : []
})

const askedAtom = atom<Asked | null>((get) => {
  const pane = get(paneAtom)
  if (!pane) return null
  const search = get(shownSearchAtom)
  const id = search.get('sort')
  const known = pane.sorts.find((sort) => sort.id === id) ?? pane.sorts[0]
  const order = search.get('order') ?? (id === null && pane.newestFirst ? 'desc' : 'asc')
  return {
    entity: pane.entity,
    filter: narrowing(get(readFiltersAtom), search.get('q') ?? ''),
    sort: { id: known?.id ?? 'id', order: order === 'desc' ? 'desc' : 'asc' },
  }
})

/** What the list shows now; it changes only when its query does. */
export const listAtom = atom<Asked | null>(null)
/** Raised whenever rows came, went or moved. */
export const rowsAtom = atom(0)
/** By how many places the row under the cursor was moved by changes of the list, in all. */
export const shiftAtom = atom(0)
/** How many rows match; null until it is known. */
export const countAtom = atom<{ count: number; exact: boolean } | null>(null)

/** What all that match come to; empty while it is not known. */
export const totalsAtom = atom<readonly Total[]>([])

/** Where the person is in the list. */
export interface Cursor {
  place: number
  /** Null while the row at the place is not loaded, and while the record that is open is none of the loaded rows. */
  id: string | null
  /** The cell that Left and Right have reached; -1 for the whole row. */
  cell: number
  /** True while the cursor has moved on from the record that is open, which follows in a moment. */
  ahead: boolean
}
export const cursorAtom = atom<Cursor>({ place: 0, id: null, cell: -1, ahead: false })

/** The rows of the list that is open. */
export const pages = new Pages({ fetch: fetchPage, changed, dropped })

async function fetchPage({ cursor, direction, background, signal }: PageQuery): Promise<PageAnswer> {
  const { entity, filter, sort } = store.get(listAtom) as Asked
  const query: Record<string, string> = {
    ...entity.query,
    ...filter,
    sort: sort.id,
    'sort-order': sort.order,
    limit: String(pageSize),
    ...(direction === 'before' ? { direction } : {}),
    ...(cursor === null ? {} : { lek: cursor }),
  }
  const queryKey = [entity.name, 'page', query]
  signal.addEventListener('abort', () => void queries.cancelQueries({ queryKey, exact: true }), { once: true })
  const answer = await queries.fetchQuery({
    queryKey,
    queryFn: ({ signal }) => wire.read(entity.list, {}, query, { signal, background }),
    gcTime: 0,
  })
  return { ids: receive(entity.name, entity.rows(answer as never)), next: (answer as { lek?: string | null }).lek ?? null }
}

/** Rows that left the list are forgotten, but for those that are chosen or open. */
function dropped(ids: readonly string[]): void {
  const entity = store.get(listAtom)?.entity.name
  if (!entity) return
  const wanted = new Set([...(store.get(markedAtom)?.ids ?? []), store.get(placeAtom)?.id, store.get(cursorAtom).id])
  dropThings(entity, ids, (id) => wanted.has(id))
}

function changed(): void {
  anchor()
  store.set(rowsAtom, (now) => now + 1)
}

/**
 * Keeps the cursor on its row when the list changed around it; a row that is gone leaves it to the one in its place. While
 * a record is open the cursor is on that record, or on no row where the record is none of those that are loaded.
 */
function anchor(): void {
  const now = store.get(cursorAtom)
  const place = store.get(placeAtom)
  const open = !now.ahead && place?.entity === store.get(listAtom)?.entity.name ? (place?.id ?? null) : null
  const wanted = open ?? now.id
  if (wanted !== null && wanted === now.id && pages.idAt(now.place) === wanted) return
  const found = wanted === null ? null : pages.placeOf(wanted)
  if (found !== null) {
    if (now.id === wanted) store.set(shiftAtom, (shift) => shift + found - now.place)
    store.set(cursorAtom, { ...now, place: found, id: wanted })
    return
  }
  const at = Math.max(pages.low, Math.min(now.place, pages.high - 1))
  const there = pages.idAt(at)
  // A row whose page was dropped keeps the cursor.
  const stays = there === undefined && at === now.place && now.id === wanted && pages.total !== 0
  const id = stays ? now.id : open === null ? (there ?? null) : null
  if (id !== now.id || at !== now.place) store.set(cursorAtom, { ...now, place: at, id })
}

/** Begins the list again, at its start or at its end; `ahead` where a record that is open is to follow there. */
export function restart(from: 'start' | 'end', ahead = false): void {
  store.set(cursorAtom, { place: from === 'start' ? 0 : -1, id: null, cell: -1, ahead })
  pages.reset(from)
}

let opened: string | null = null

/** Another record was opened, or it was closed: the cursor goes with it. */
function followRecord(): void {
  const open = store.get(placeAtom)?.id ?? null
  if (open === opened) return
  opened = open
  if (store.get(cursorAtom).ahead) store.set(cursorAtom, (now) => ({ ...now, ahead: false }))
  anchor()
}

/** Fetches what is on screen again, or `all` that is loaded, where a list is; after a failure, what failed. */
export function refreshList(all = false): void {
  if (!store.get(listAtom)) return
  if (pages.error) pages.retry()
  else void pages.refresh(false, all)
  void count(true)
}

/** What went wrong with the list, in words: the server's own, else the default (API-140, API-141). */
export function listProblem(error: unknown, many: string): string {
  const detail = error instanceof Refusal ? error.problem.detail : error instanceof Unanswered ? error.detail : null
  return detail ?? `Unable to load ${many}`
}

async function count(anew = false): Promise<void> {
  const list = store.get(listAtom)
  if (!list) return
  const { count: counting, totals, name } = list.entity
  const read = async (endpoint: AnyEndpoint): Promise<unknown> => {
    const queryKey = [name, endpoint.path, list.filter]
    const queryFn = () => wire.read(endpoint, {}, { ...list.filter }, { background: true })
    return queries.fetchQuery({ queryKey, queryFn, staleTime: anew ? 0 : 60_000 })
  }
  const tell = async (endpoint: AnyEndpoint | undefined, put: (answer: unknown) => void) => {
    if (!endpoint || !store.get(offersAtom)(endpoint)) return
    try {
      const answer = await read(endpoint)
      if (store.get(listAtom)?.filter === list.filter) put(answer)
    } catch {
      // The list itself says what is wrong; until a count is there the bar names the row alone.
    }
  }
  await Promise.all([
    tell(counting, (answer) => store.set(countAtom, answer as { count: number; exact: boolean })),
    tell(totals?.from, (answer) => store.set(totalsAtom, totals?.read(answer as never) ?? [])),
  ])
}

/** Where the person is, for the status bar: the row's number from 1, and how many match; null while unknown. */
export const listInfoAtom = atom((get) => {
  get(rowsAtom)
  if (!get(listAtom)) return null
  const known = get(countAtom)
  const total = pages.total ?? known?.count ?? null
  const exact = pages.total !== null || (known?.exact ?? false)
  return { row: rowNumber(get(cursorAtom).place, exact ? total : null), count: total, exact }
})

/** The number of the row at a place, from 1; null where only the end of the list is known. */
export function rowNumber(place: number, total: number | null): number | null {
  if (pages.from === 'start') return pages.total === 0 ? null : place + 1
  return total === null ? null : total + place + 1
}

/** Parameters of the list as they were last seen, so that a record opened without them keeps its list. */
let remembered: { entity: string; search: string } | null = null
let written = ''

/** Follows the address: what is asked, and what the rest of the portal is told of the list. */
function follow(): void {
  const place = store.get(placeAtom)
  const own = listParams(new URLSearchParams(store.get(locationAtom).searchParams)).toString()
  if (place?.id && !own && remembered?.entity === place.entity && remembered.search) {
    setSearch(Object.fromEntries(new URLSearchParams(remembered.search)), { replace: true })
    return
  }
  if (own !== written) dropDraft()
  written = own
  remembered = place ? { entity: place.entity, search: own } : null
  ask()
}

function ask(): void {
  const asked = store.get(askedAtom)
  const now = store.get(listAtom)
  const key = (one: Asked | null) => (one ? JSON.stringify([one.entity.name, one.filter, one.sort]) : '')
  if (key(asked) !== key(now)) {
    const same = JSON.stringify(asked?.filter) === JSON.stringify(now?.filter) && asked?.entity === now?.entity
    store.set(listAtom, asked)
    if (!same) {
      store.set(markedAtom, null)
      store.set(countAtom, null)
      store.set(totalsAtom, [])
    }
    if (asked) restart('start')
    if (!same) void count()
  }
  publishPane()
}

function publishPane(): void {
  const pane = store.get(paneAtom)
  const list = store.get(listAtom)
  const view = store.get(viewAtom)
  store.set(
    openPaneAtom,
    pane && list && view
      ? {
          name: pane.name,
          entity: pane.entity.name,
          title: pane.title,
          filters: pane.entity.filters,
          set: goodFilters(store.get(readFiltersAtom)),
          narrowed: narrowingParams().length > 0,
          columns: view.columns.map(({ id, title }) => ({ id, title })),
          shown: store.get(columnsAtom).map((column) => column.id),
          sorts: pane.sorts,
          sort: list.sort,
        }
      : null,
  )
}

/** Follows the address, and keeps what is on screen fresh: every 30 seconds and on focus. Returns what stops it. */
export function watchList(): () => void {
  opened = store.get(placeAtom)?.id ?? null
  const stops = [
    store.sub(locationAtom, follow),
    store.sub(askedAtom, ask),
    store.sub(columnsAtom, publishPane),
    store.sub(readFiltersAtom, publishPane),
    store.sub(placeAtom, followRecord),
  ]
  follow()
  const refresh = () => {
    if (document.visibilityState === 'visible' && store.get(listAtom) && !pages.error) void pages.refresh(true)
  }
  const timer = setInterval(refresh, freshEvery)
  addEventListener('focus', refresh)
  return () => {
    for (const stop of stops) stop()
    clearInterval(timer)
    removeEventListener('focus', refresh)
    store.set(openPaneAtom, null)
    store.set(listAtom, null)
    store.set(markedAtom, null)
  }
}
