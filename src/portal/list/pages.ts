/** Rows asked for in one query. */
export const pageSize = 200
/** Pages fetched beyond the visible ones, in the direction of travel: none until somebody goes somewhere. */
const pagesAhead = 2
/** And as many at most, the faster the list goes by. */
const maxPagesAhead = 6
/** Fetched ahead is what goes by in this time, in milliseconds. */
const aheadOf = 1500
/** Pages whose rows are kept; the others are dropped to their cursor. */
export const pagesKept = 20

export type End = 'start' | 'end'

/** One query: the page after (or before) a cursor, null for the end of the list that the direction comes from. */
export interface PageQuery {
  cursor: string | null
  direction: 'after' | 'before'
  /** True for what nobody did: it must not keep the session alive. */
  background: boolean
  signal: AbortSignal
}

/** Ids in the order of the list, and the cursor to go on from; null where the list ends. */
export interface PageAnswer {
  ids: readonly string[]
  next: string | null
}

interface Page {
  /** The query that gives this page. */
  cursor: string | null
  ids: readonly string[] | null
  /** Undefined until the page was loaded once. */
  next: string | null | undefined
  /** Set when its cursor moved while its rows are still shown. */
  stale: boolean
  failed: boolean
  loading: AbortController | null
}

export interface PagesOptions {
  /** Rows of every page but the last; `pageSize` without it. */
  size?: number
  fetch: (query: PageQuery) => Promise<PageAnswer>
  /** Rows came, went or moved. */
  changed: () => void
  /** Ids that no page holds any more. */
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
 * A window on a list that only knows cursors. Rows have places: 0, 1, 2 from the start, or -1, -2, -3 from the end.
 * It never knows how many rows there are until it has met both ends.
 */
export class Pages {
  from: End = 'start'
  /** What went wrong with the page that was needed most. */
  error: unknown = null
  /** Whether what came last was asked for by nobody. */
  unasked = false
  readonly size: number
  readonly #options: PagesOptions
  #pages: Page[] = [unloaded(null)]
  /** Raised by every reset: an answer of an earlier one is thrown away. */
  #generation = 0
  #look = { first: 0, last: 0, forward: true }
  /** Whether what is on screen was ever left: most lists are read for a moment, and their first page is enough. */
  #travelled = false
  /** How fast the list goes by, in rows a millisecond. */
  #speed = 0
  #lookedAt = 0

  constructor(options: PagesOptions) {
    this.#options = options
    this.size = options.size ?? pageSize
  }

  /** Forgets everything and begins at one end of the list. */
  reset(from: End = 'start'): void {
    this.clear(from)
    this.#pump()
    this.#options.changed()
  }

  /** Forgets everything and fetches nothing. */
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

  /** True once the far end of the list was met. */
  get ended(): boolean {
    return this.#pages.at(-1)?.next === null
  }

  /** How many rows the list has, when both ends were met; else null. */
  get total(): number | null {
    return this.ended ? this.#rows() : null
  }

  /** True until the first answer. */
  get empty(): boolean {
    return this.#pages[0]?.next === undefined
  }

  /** True while any page is on its way. */
  get loading(): boolean {
    return this.#pages.some((page) => page.loading)
  }

  /** The first place that may have a row: with room for those that are on their way. */
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

  /** The place of an id among the loaded rows; null when it is not among them. */
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

  /** Pages whose rows are held now. */
  get held(): number {
    return this.#pages.filter((page) => page.ids).length
  }

  /** Says which places are on screen; fetches them and those ahead, and drops what is far away. */
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

  /** Fetches again what is on screen, or `all` that is loaded; rows elsewhere stay as they are. */
  async refresh(background: boolean, all = false): Promise<void> {
    const [from, to] = all ? [0, this.#pages.length - 1] : this.#visible()
    for (let number = from; number <= to; number++) {
      const page = this.#pages[number]
      if (page && !page.loading && (!all || page.ids)) await this.#load(number, background)
    }
  }

  /** Tries again what failed. */
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
  /** Rows of the last page: kept when it is dropped. */
  #lastLength = 0

  #pageOf(place: number): number {
    return this.from === 'start' ? Math.floor(place / this.size) : Math.floor((-place - 1) / this.size)
  }

  /** Numbers of the pages on screen, smaller one first. */
  #visible(): [number, number] {
    const one = Math.max(0, this.#pageOf(this.#look.first))
    const other = Math.max(0, this.#pageOf(this.#look.last))
    return one < other ? [one, other] : [other, one]
  }

  /** Asks for the visible pages first, then for those ahead; a page beyond the known cursors is reached one by one. */
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
      // Rows were inserted or taken out above: the next page begins elsewhere, and its rows are fetched when they are seen.
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
