import { type NamedView, viewIn } from '#contract/named-views.ts'
import { isMasked } from '#portal/format/cell-text.ts'
import { type Atom, atom } from 'jotai/vanilla'
import type { OpenPane } from '#kernel/command-context.ts'
import { columnsOf, layoutOf } from '#portal/list/columns.ts'
import { exportFormatAtom } from '#portal/list/export-format.ts'
import type { ListColumn, ListDefinition, ListScope } from '#portal/list/definition.ts'
import {
  goodFilters,
  narrowing,
  narrowingParams,
  ownSearch,
  type ReadFilter,
  readFilters,
  rowsFilterOf,
  shownSearchAtom,
} from '#portal/list/filters.ts'
import { isReversible, sizeOf } from '#portal/list/answers.ts'
import { type ListQuery, type ListRequest, inWhole, pageOf, partOf, rowsFrom } from '#portal/list/asking.ts'
import { type PageAnswer, type PageQuery, Pages } from '#portal/list/pages.ts'
import { anchored, type Cursor } from '#portal/list/anchor.ts'
import { Tally } from '#portal/list/tally.ts'
import { keepFresh, receive } from '#portal/records/freshness.ts'
import { savedSearch, savedViewsAtom, sharedViewsAtom, type ShownView, viewsOf } from '#portal/list/saved-views.ts'
import { besideAtom, besidePrefix, placeAtom, placeAtoms, type Side } from '#portal/platform/location.ts'
import { heldAtom } from '#portal/api/session.ts'
import { searchedBy } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { dropRecords } from '#portal/records/entity-store.ts'

/** Marked rows in the order of the list; `filter` if everything that matches is marked. */
export interface MarkedRows {
  entity: string
  ids: readonly string[]
  filter: Readonly<Record<string, string>> | null
  count: number | null
}

/** The orders of a list that the user may use. */
export const sortsFor = ({ sorts }: ListDefinition, held: ReadonlySet<number>): ListDefinition['sorts'] =>
  sorts.filter((sort) => !isMasked(sort, held))

/**
 * One list: a definition in a scope. It follows the address while it is watched, holds the pages of its rows, the cursor, the
 * marks, the count and the sums.
 */
export class List {
  readonly definition: ListDefinition
  readonly scope: ListScope
  readonly pages: Pages
  /** Its own search parameters from the address, without their prefix. */
  readonly searchAtom: Atom<URLSearchParams>
  /** The filters from the address, valid or not. */
  readonly filtersAtom: Atom<readonly ReadFilter[]>
  /** The rendered columns. */
  readonly columnsAtom: Atom<readonly ListColumn[]>
  /** Custom widths of columns in pixels; the current ones while a column edge is dragged. */
  readonly widthsAtom: Atom<Readonly<Record<string, number>>>
  readonly draggedAtom = atom<Readonly<Record<string, number>> | null>(null)
  /** The columns with their widths as last rendered. */
  drawn: readonly (readonly [id: string, width: number])[] = []
  /** The current query; null until the list is watched. */
  readonly askedAtom = atom<ListQuery | null>(null)
  /** Incremented whenever rows were added, removed or moved. */
  readonly rowsAtom = atom(0)
  /** Total number of places that the cursor's row was shifted by changes of the list. */
  readonly shiftAtom = atom(0)
  readonly cursorAtom = atom<Cursor>({ place: 0, id: null, cell: -1, ahead: false })
  /** Index of the active cell in the active row; -1 for the whole row. */
  readonly cellAtom = atom((get) => get(this.cursorAtom).cell)
  readonly markedAtom = atom<MarkedRows | null>(null)
  /** The marked rows for rendering: all of them, or some by id. */
  readonly marksAtom = atom((get) => {
    const marked = get(this.markedAtom)
    return { all: Boolean(marked?.filter), ids: new Set(marked?.ids) }
  })
  /** Count and totals of the matching rows. */
  readonly tally: Tally
  /** The row number from 1, null without an active row; and the number of matches, null while unknown. */
  readonly whereAtom: Atom<{ row: number | null; count: number | null; exact: boolean } | null>
  /** The list as seen by commands; null until it is watched. */
  readonly paneAtom: Atom<OpenPane | null>
  /** Its named views, including shared ones and those that the user saved. */
  readonly viewsAtom: Atom<readonly ShownView[]>
  /** The active named view; null if none matches. */
  readonly namedAtom: Atom<NamedView | null>
  /** Whether rows can be read by their ids, so that marks outlast a search that does not find them. */
  readonly canKeepMarks: boolean
  readonly #wantedAtom: Atom<ListQuery>
  readonly #all: () => Iterable<List>
  /** The last visible range: first place, and the pixels of it that were scrolled past. */
  seen = { first: 0, past: 0 }
  #opened: string | null = null
  #watched = false

  /** `all` are the cached lists including this one: a row shown by one of them is kept when another drops it. */
  constructor(definition: ListDefinition, scope: ListScope, all: () => Iterable<List>) {
    this.#all = all
    this.definition = definition
    this.scope = scope
    this.pages = new Pages({
      size: sizeOf(definition.source.endpoint),
      fetch: (query) => this.#fetchPage(query),
      changed: () => this.#changed(),
      dropped: (ids) => this.dropped(ids),
    })
    this.tally = new Tally(definition.source)
    this.searchAtom = atom((get) => ownSearch(get(shownSearchAtom), scope.prefix))
    const ofRows = rowsFilterOf(definition)
    const filters = [...(ofRows ? [ofRows] : []), ...definition.filters]
    this.canKeepMarks = ofRows !== null
    this.filtersAtom = atom((get) => readFilters(filters, get(this.searchAtom), get(heldAtom)))
    const path = scope.of ? null : (definition.entity?.path ?? null)
    this.viewsAtom = atom((get) => viewsOf(definition.named ?? [], get(sharedViewsAtom), get(savedViewsAtom), path))
    this.namedAtom = atom((get) => viewIn(get(this.viewsAtom), get(this.searchAtom)))
    const inAddressAtom = atom((get) => get(this.searchAtom).get('columns'))
    this.columnsAtom = atom((get) => columnsOf(get, definition, get(inAddressAtom)?.split(',') ?? null))
    this.widthsAtom = atom((get) => get(this.draggedAtom) ?? layoutOf(get, definition).widths)
    this.#wantedAtom = atom((get) => {
      const search = get(this.searchAtom)
      return {
        filter: narrowing(get(this.filtersAtom), search.get('q') ?? '', definition.source.endpoint),
        sort: this.#sortOf(search, get(heldAtom)),
      }
    })
    this.whereAtom = atom((get) => {
      get(this.rowsAtom)
      if (!get(this.askedAtom)) return null
      const known = get(this.tally.countAtom)
      const total = this.pages.total ?? known?.count ?? null
      const exact = this.pages.total !== null || (known?.exact ?? false)
      const { place, lost } = get(this.cursorAtom)
      return { row: lost ? null : this.numberOf(place, exact ? total : null), count: total, exact }
    })
    this.paneAtom = atom((get) => {
      const asked = get(this.askedAtom)
      if (!asked) return null
      return {
        name: definition.name,
        entity: definition.rowKind.name,
        title: definition.title,
        filters: definition.filters,
        set: goodFilters(get(this.filtersAtom)),
        searched: definition.searched,
        q: get(this.searchAtom).get('q') ?? '',
        narrowed: narrowingParams(get(this.searchAtom)).length > 0,
        columns: definition.columns.map(({ id, title }) => ({ id, title })),
        shown: get(this.columnsAtom).map((column) => column.id),
        cell: this.drawn[get(this.cellAtom)]?.[0] ?? null,
        path,
        search: savedSearch(get(this.searchAtom)),
        named: get(this.viewsAtom),
        view: get(this.namedAtom)?.id ?? null,
        canShowSelected: this.canKeepMarks,
        sorts: sortsFor(definition, get(heldAtom)),
        sort: asked.sort,
        exportFormat: get(exportFormatAtom),
      }
    })
  }

  /** The name of its row kind in the entity store. */
  get rows(): string {
    return this.definition.rowKind.name
  }

  /** True for a noun's own list, whose cursor and open record move together. */
  get leads(): boolean {
    return this.scope.of === null
  }

  /** The side that it is on. */
  get side(): Side {
    return this.scope.prefix.startsWith(besidePrefix) ? 'beside' : 'main'
  }

  /** The id of the record open beside it; null for a list in a tab. */
  get open(): string | null {
    const place = store.get(placeAtom)
    return this.leads && place?.entity === this.rows ? place.id : null
  }

  /** Whether the API can read it from its end. */
  get reversible(): boolean {
    return isReversible(this.definition.source.endpoint)
  }

  /** Its filter as a query of the noun's own list; null if it is not a part of one. */
  get filter(): Readonly<Record<string, string>> | null {
    const { entity, source } = this.definition
    if (!entity || (source.endpoint !== entity.list && !source.inWhole)) return null
    return inWhole(this.asking)
  }

  /** Restarts the list at its start or end; `ahead` if the open record must follow. */
  restart(from: 'start' | 'end', ahead = false): void {
    this.seen = { first: from === 'start' ? 0 : -1, past: 0 }
    store.set(this.cursorAtom, { place: from === 'start' ? 0 : -1, id: null, cell: -1, ahead })
    this.pages.reset(from)
  }

  /** Refetches the visible pages, or with `all` every loaded page; after a failure, the failed ones. */
  refresh(all = false): void {
    if (!store.get(this.askedAtom)) return
    if (this.pages.error) this.pages.retry()
    else void this.pages.refresh(false, all)
    this.count(true)
  }

  /** The row number of a place, from 1; null if only the end of the list is known. */
  numberOf(place: number, total: number | null): number | null {
    if (this.pages.from === 'start') return this.pages.total === 0 ? null : place + 1
    return total === null ? null : total + place + 1
  }

  /** Follows the address, and refreshes the visible rows every 30 seconds and on focus. Returns the function that stops it. */
  watch(): () => void {
    this.#watched = true
    const stops = [store.sub(this.#wantedAtom, () => this.#ask()), store.sub(placeAtom, () => this.#followRecord())]
    const before = store.get(this.askedAtom)
    this.#ask()
    this.#opened = this.open
    this.#anchor()
    const refresh = () => {
      if (!this.pages.error) void this.pages.refresh(true)
    }
    // A list that is shown again has its previous rows at first, and is then refreshed.
    if (before === store.get(this.askedAtom)) {
      if (this.pages.error) this.pages.retry()
      else refresh()
      this.count(true)
    }
    const stopRefreshing = keepFresh(refresh)
    return () => {
      for (const stop of stops) stop()
      stopRefreshing()
      this.#watched = false
      store.set(this.markedAtom, null)
    }
  }

  /** Drops its rows; false while it is rendered. */
  forget(): boolean {
    if (this.#watched) return false
    store.set(this.askedAtom, null)
    this.pages.clear()
    return true
  }

  #sortOf(search: URLSearchParams, held: ReadonlySet<number>): ListQuery['sort'] {
    const { newestFirst } = this.definition
    const sorts = sortsFor(this.definition, held)
    const id = search.get('sort')
    const known = sorts.find((sort) => sort.id === id) ?? sorts[0]
    if (!known) return null
    const order = search.get('order') ?? (id === null && newestFirst ? 'desc' : 'asc')
    return { id: known.id, order: order === 'desc' ? 'desc' : 'asc' }
  }

  /** True while the address belongs to this list: parameters of another place do not apply. */
  get #here(): boolean {
    const place = store.get(placeAtoms[this.side])
    const { of } = this.scope
    return of ? place?.entity === of.entity && place.id === of.id : place?.entity === this.rows
  }

  #ask(): void {
    // After leaving and coming back, the row and the scroll position are as they were.
    if (!this.#here) return
    const wanted = store.get(this.#wantedAtom)
    const now = store.get(this.askedAtom)
    if (JSON.stringify(wanted) === JSON.stringify(now)) return
    const same = JSON.stringify(wanted.filter) === JSON.stringify(now?.filter)
    store.set(this.askedAtom, wanted)
    if (!same) this.#unmark(now, wanted)
    this.restart('start')
    if (!same) this.count()
  }

  /**
   * Removes marks at another filter, so that the next command applies to no row that was marked for something else. Marked rows
   * outlast another search, by which the next one is found, and the filter that shows them alone.
   */
  #unmark(before: ListQuery | null, now: ListQuery): void {
    const marked = store.get(this.markedAtom)
    if (!marked) return
    if (this.canKeepMarks && !marked.filter && before) {
      const search = searchedBy(this.definition.source.endpoint) ?? 'q'
      const others = ({ filter }: ListQuery) => JSON.stringify(Object.entries(filter).filter(([name]) => name !== search))
      const alone = ({ filter }: ListQuery) => {
        const shown = new Set((filter.id ?? '').split(','))
        return marked.ids.every((id) => shown.has(id))
      }
      if (others(before) === others(now) || alone(before) || alone(now)) return
    }
    store.set(this.markedAtom, null)
    showToast('Nothing is selected now: the filter changed.')
  }

  /** The data for its requests. */
  get asking(): ListRequest {
    return { source: this.definition.source, of: this.scope.of, asked: store.get(this.askedAtom) as ListQuery }
  }

  #fetchPage(query: PageQuery): Promise<PageAnswer> {
    return pageOf(this.asking, query, this.pages.size, (found) => receive(this.rows, found))
  }

  /**
   * The id of the row before or after another, even if neither is loaded: `beside` is null at the end of the list. Null if the
   * row is not in the list, or the API does not support it. Throws without an answer.
   */
  async rowBeside(id: string, step: 1 | -1): Promise<{ beside: string | null } | null> {
    if (!store.get(this.askedAtom)) return null
    const rows = await rowsFrom(this.asking, id, step)
    const ids = rows ? receive(this.rows, rows) : []
    return ids.includes(id) ? { beside: ids.find((each) => each !== id) ?? null } : null
  }

  /** Reads the number of matching rows and their sums; `reload` if they may have changed. */
  count(reload = false): void {
    const asked = store.get(this.askedAtom)
    if (!asked) return
    void this.tally.ask(partOf(this.asking).at, inWhole(this.asking), reload)
  }

  #changed(): void {
    this.#anchor()
    store.set(this.rowsAtom, (now) => now + 1)
  }

  /** Forgets rows that left the list, except marked or open ones, and those of other lists. */
  dropped(ids: readonly string[]): void {
    const others = [...this.#all()].filter((list) => list !== this && list.rows === this.rows)
    const wanted = new Set([
      ...(store.get(this.markedAtom)?.ids ?? []),
      store.get(placeAtom)?.id,
      store.get(besideAtom)?.id,
      store.get(this.cursorAtom).id,
      ...others.flatMap((list) => list.pages.loaded()),
    ])
    dropRecords(this.rows, ids, (id) => wanted.has(id))
  }

  #anchor(): void {
    const now = store.get(this.cursorAtom)
    const { cursor, shift } = anchored(now, this.open, this.pages)
    if (shift) store.set(this.shiftAtom, (before) => before + shift)
    if (cursor !== now) store.set(this.cursorAtom, cursor)
  }

  /** The open record changed, and the cursor follows it. */
  #followRecord(): void {
    const { open } = this
    if (open === this.#opened) return
    this.#opened = open
    if (store.get(this.cursorAtom).ahead) store.set(this.cursorAtom, (now) => ({ ...now, ahead: false }))
    this.#anchor()
  }
}
