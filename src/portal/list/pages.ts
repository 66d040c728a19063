/** Rows per request. */
export const pageSize = 200
/** Number of pages prefetched in the scroll direction; none until the user scrolls. */
const pagesAhead = 2
/** Maximum number of prefetched pages; grows with the scroll speed. */
const maxPagesAhead = 6
/** Prefetches what would pass in this time, in milliseconds. */
const aheadOf = 1500
/** Number of pages whose rows are kept; others are evicted and keep only their cursor. */
export const pagesKept = 20

export type End = 'start' | 'end'

/** One request: the page after (or before) a cursor, null for the end that the direction starts from. */
export interface PageQuery {
  cursor: string | null
  direction: 'after' | 'before'
  /** True for a request without user activity: it must not extend the session. */
  background: boolean
  signal: AbortSignal
}

/** Ids in the order of the list, and the next cursor; null at the end of the list. */
export interface PageAnswer {
  ids: readonly string[]
  next: string | null
}

interface Page {
  /** The cursor that this page is requested with. */
  cursor: string | null
  ids: readonly string[] | null
  /** Undefined until the page was loaded once. */
  next: string | null | undefined
  /** Set if its cursor changed while its old rows are still shown. */
  stale: boolean
  failed: boolean
  loading: AbortController | null
}

export interface PagesOptions {
  /** Rows of every page but the last; `pageSize` by default. */
  size?: number
  fetch: (query: PageQuery) => Promise<PageAnswer>
  /** Called when rows were added, removed or moved. */
  changed: () => void
  /** Called with ids that no page holds any more. */
  dropped?: (ids: readonly string[]) => void
}

const unloaded = (cursor: string | null): Page => ({
  cursor,
  ids: null,
  next: undefined,
  stale: false,
  failed: false,
  loading: null,
})

/**
 * Window on a list with keyset pagination. Rows have places: 0, 1, 2 from the start, or -1, -2, -3 from the end. The number of
 * rows is unknown until both ends were reached.
 */
export class Pages {
  from: End = 'start'
  /** The error of the most needed page. */
  error: unknown = null
  /** Whether the last answer was a background refresh. */
  unasked = false
  readonly size: number
  readonly #options: PagesOptions
  #pages: Page[] = [unloaded(null)]
  /** Incremented by every reset: answers to earlier requests are dropped. */
  #generation = 0
  #look = { first: 0, last: 0, forward: true }
  /** Whether the user ever scrolled: most lists are only glanced at, and their first page is enough. */
  #travelled = false
  /** Scroll speed in rows per millisecond. */
  #speed = 0
  #lookedAt = 0

  constructor(options: PagesOptions) {
    this.#options = options
    this.size = options.size ?? pageSize
  }

  /** Drops everything and starts at one end of the list. */
  reset(from: End = 'start'): void {
    this.clear(from)
    this.#pump()
    this.#options.changed()
  }

  /** Drops everything without fetching. */
  clear(from: End = 'start'): void {
    this.#generation += 1
    const ids: string[] = []
    for (const page of this.#pages) {
      page.loading?.abort()
      if (page.ids) ids.push(...page.ids)
    }
    this.from = from
    this.error = null
    this.#pages = [unloaded(null)]
    this.#look = from === 'start' ? { first: 0, last: 0, forward: true } : { first: -1, last: -1, forward: false }
    this.#travelled = false
    this.#options.dropped?.(ids)
  }

  /** True once the far end of the list was reached. */
  get ended(): boolean {
    return this.#pages.at(-1)?.next === null
  }

  /** Number of rows if both ends were reached; else null. */
  get total(): number | null {
    return this.ended ? this.#rows() : null
  }

  /** True until the first answer. */
  get empty(): boolean {
    return this.#pages[0]?.next === undefined
  }

  /** True while any page is loading. */
  get loading(): boolean {
    return this.#pages.some((page) => page.loading)
  }

  /** The first place that may have a row, with room for rows being loaded. */
  get low(): number {
    if (this.from === 'start') return 0
    return this.ended ? -this.#rows() : -(Math.ceil((this.#rows() + pagesAhead * this.size) / 1000) * 1000)
  }

  /** One past the last place that may have a row. */
  get high(): number {
    if (this.from === 'end') return 0
    return this.ended ? this.#rows() : this.#rows() + (this.empty ? this.size / 4 : pagesAhead * this.size)
  }

  /** The id at a place; undefined while its row is not loaded. */
  idAt(place: number): string | undefined {
    const number = this.#pageOf(place)
    const ids = this.#pages[number]?.ids
    if (!ids) return undefined
    return this.from === 'start' ? ids[place - number * this.size] : ids[place + number * this.size + ids.length]
  }

  /** The place of an id; null if it is not loaded. */
  placeOf(id: string): number | null {
    for (const [number, page] of this.#pages.entries()) {
      const at = page.ids?.indexOf(id) ?? -1
      if (at >= 0) return this.from === 'start' ? number * this.size + at : at - number * this.size - (page.ids?.length ?? 0)
    }
    return null
  }

  /** All loaded ids in the order of the list. */
  loaded(): string[] {
    const pages = this.from === 'start' ? this.#pages : this.#pages.toReversed()
    return pages.flatMap((page) => page.ids ?? [])
  }

  /** Number of pages whose rows are loaded. */
  get held(): number {
    return this.#pages.filter((page) => page.ids).length
  }

  /** Sets the visible range; fetches it and the pages ahead, and evicts distant ones. */
  look(first: number, last: number): void {
    const before = this.#look
    if (first === before.first && last === before.last) return
    const forward = first === before.first ? before.forward : first > before.first
    this.#look = { first, last, forward }
    this.#travelled ||= this.from === 'start' ? first !== before.first : last !== before.last
    const now = performance.now()
    const speed = Math.abs(first - before.first) / Math.max(1, now - this.#lookedAt)
    this.#speed = this.#speed * 0.8 + Math.min(speed, this.size / 16) * 0.2
    this.#lookedAt = now
    this.#pump()
    this.#prune()
  }

  /** Refetches the visible pages, or with `all` every loaded page; other rows stay as they are. */
  async refresh(background: boolean, all = false): Promise<void> {
    const [from, to] = all ? [0, this.#pages.length - 1] : this.#visible()
    for (let number = from; number <= to; number++) {
      const page = this.#pages[number]
      if (page && !page.loading && (!all || page.ids)) await this.#load(number, background)
    }
  }

  /** Retries failed pages. */
  retry(): void {
    this.error = null
    for (const page of this.#pages) page.failed = false
    this.#pump()
    this.#options.changed()
  }

  #rows(): number {
    const last = this.#pages.length - 1
    const length = this.#pages[last]?.ids?.length
    return last * this.size + (length ?? (this.#pages[last]?.next === null ? this.#lastLength : 0))
  }
  /** Number of rows of the last page: remembered after it is evicted. */
  #lastLength = 0

  #pageOf(place: number): number {
    return this.from === 'start' ? Math.floor(place / this.size) : Math.floor((-place - 1) / this.size)
  }

  /** Numbers of the visible pages, smaller one first. */
  #visible(): [number, number] {
    const one = Math.max(0, this.#pageOf(this.#look.first))
    const other = Math.max(0, this.#pageOf(this.#look.last))
    return one < other ? [one, other] : [other, one]
  }

  /** Requests the visible pages first, then those ahead; a page beyond the known cursors is reached one by one. */
  #pump(): void {
    const [from, to] = this.#visible()
    const away = this.#look.forward === (this.from === 'start')
    const wanted: number[] = []
    for (let number = from; number <= to; number++) wanted.push(number)
    const ahead = this.#travelled ? Math.min(maxPagesAhead, pagesAhead + Math.floor((this.#speed * aheadOf) / this.size)) : 0
    for (let step = 1; step <= ahead; step++) wanted.push(away ? to + step : from - step)
    for (const number of wanted) {
      if (number < 0) continue
      const page = this.#pages[number]
      if (page) {
        if ((!page.ids || page.stale) && !page.loading && !page.failed) void this.#load(number, false)
      } else if (!this.ended) {
        const frontier = this.#pages.length - 1
        const last = this.#pages[frontier]
        if (last && !last.loading && !last.failed && last.next === undefined) void this.#load(frontier, false)
        break
      }
    }
  }

  async #load(number: number, background: boolean): Promise<void> {
    const page = this.#pages[number] as Page
    const generation = this.#generation
    const { cursor } = page
    const control = new AbortController()
    page.loading = control
    const current = () => generation === this.#generation && this.#pages[number] === page
    try {
      const answer = await this.#options.fetch({
        cursor,
        direction: this.from === 'start' ? 'after' : 'before',
        background,
        signal: control.signal,
      })
      if (!current()) return
      page.loading = null
      if (page.cursor === cursor) this.#take(number, answer)
      else page.stale = true
    } catch (error) {
      if (!current()) return
      page.loading = null
      if (background) return
      page.failed = true
      this.error = error
    }
    this.#pump()
    this.#prune()
    this.unasked = background
    this.#options.changed()
  }

  #take(number: number, { ids, next }: PageAnswer): void {
    const page = this.#pages[number] as Page
    const before = page.ids
    Object.assign(page, { ids, next, stale: false, failed: false })
    if (!this.#pages.some((each) => each.failed)) this.error = null
    const gone = before?.filter((id) => !ids.includes(id)) ?? []
    if (next === null) {
      this.#lastLength = ids.length
      for (const later of this.#pages.splice(number + 1)) {
        later.loading?.abort()
        gone.push(...(later.ids ?? []))
      }
    } else {
      const after = this.#pages[number + 1]
      if (!after) this.#pages.push(unloaded(next))
      // Rows were inserted or removed above: the next page starts at another cursor, and its rows are fetched when they become
      // visible.
      else if (after.cursor !== next) Object.assign(after, { cursor: next, stale: after.ids !== null, failed: false })
    }
    const left = gone.filter((id) => this.placeOf(id) === null)
    if (left.length) this.#options.dropped?.(left)
  }

  #prune(): void {
    if (this.held <= pagesKept) return
    const [from, to] = this.#visible()
    const distance = (number: number) => (number < from ? from - number : number > to ? number - to : 0)
    const loaded = [...this.#pages.keys()].filter((number) => this.#pages[number]?.ids).sort((a, b) => distance(b) - distance(a))
    const ids: string[] = []
    for (const number of loaded.slice(0, loaded.length - pagesKept)) {
      const page = this.#pages[number] as Page
      ids.push(...(page.ids ?? []))
      page.ids = null
      page.stale = false
    }
    this.#options.dropped?.(ids)
  }
}
