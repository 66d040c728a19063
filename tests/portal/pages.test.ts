import { describe, expect, test } from 'vitest'
import { type PageAnswer, type PageQuery, Pages, pageSize, pagesKept } from '#portal/list/pages.ts'
import { rowHeight, type Space, spaceFor, spaceRows, staysAtTop } from '#portal/list/space.ts'

/** A list with cursors as on the API: a cursor is the id of the row to continue from. */
class List {
  ids: number[]
  asked: PageQuery[] = []
  constructor(rows: number) {
    this.ids = Array.from({ length: rows }, (_, index) => (index + 1) * 10)
  }
  answer({ cursor, direction }: PageQuery): PageAnswer {
    const from = cursor === null ? null : Number(cursor)
    if (direction === 'after') {
      const rest = this.ids.filter((id) => from === null || id > from)
      const page = rest.slice(0, pageSize)
      return { ids: page.map(String), next: rest.length > pageSize ? String(page.at(-1)) : null }
    }
    const rest = this.ids.filter((id) => from === null || id < from)
    const page = rest.slice(-pageSize)
    return { ids: page.map(String), next: rest.length > pageSize ? String(page[0]) : null }
  }
  fetch = async (query: PageQuery): Promise<PageAnswer> => {
    this.asked.push(query)
    await Promise.resolve()
    return this.answer(query)
  }
}

const settled = () => new Promise((done) => setTimeout(done, 0))

function windowOn(list: List) {
  const dropped: string[] = []
  const pages = new Pages({ fetch: list.fetch, changed: () => {}, dropped: (ids) => dropped.push(...ids) })
  return { pages, dropped }
}

describe('pages of a list', () => {
  test('[API-139] one query per page, two pages ahead once somebody scrolls, and none before', async () => {
    const list = new List(5_000)
    const { pages } = windowOn(list)
    pages.reset()
    await settled()
    pages.look(0, 15)
    await settled()
    expect(list.asked.map((query) => query.cursor)).toEqual([null])
    pages.look(1, 16)
    await settled()
    expect(pages.idAt(0)).toBe('10')
    expect(pages.idAt(599)).toBe('6000')
    expect(pages.idAt(600)).toBeUndefined()
    expect(list.asked.map((query) => query.cursor)).toEqual([null, '2000', '4000'])
    expect(pages.total).toBeNull()
  })

  test('[CARD-004] keeps about 20 pages; others are reduced to their cursor and read back in one query', async () => {
    const list = new List(10_000)
    const { pages, dropped } = windowOn(list)
    pages.reset()
    for (let place = 0; place < 9_900; place += 100) {
      pages.look(place, place + 15)
      await settled()
    }
    expect(pages.held).toBe(pagesKept)
    expect(pages.idAt(0)).toBeUndefined()
    expect(dropped).toContain('10')
    const before = list.asked.length
    pages.look(0, 15)
    await settled()
    expect(pages.idAt(3)).toBe('40')
    expect(list.asked[before]?.cursor).toBeNull()
    expect(pages.total).toBe(10_000)
  })

  test('jumps to the end, and counts backwards', async () => {
    const list = new List(1_050)
    const { pages } = windowOn(list)
    pages.reset('end')
    await settled()
    expect(pages.idAt(-1)).toBe('10500')
    expect(list.asked[0]).toMatchObject({ direction: 'before', cursor: null })
    expect(pages.high).toBe(0)
    for (let place = -20; place > -1_060; place -= 100) {
      pages.look(place, place + 15)
      await settled()
    }
    expect(pages.total).toBe(1_050)
    expect(pages.low).toBe(-1_050)
    expect(pages.idAt(-1_050)).toBe('10')
  })

  test('a late answer for an old filter never replaces a newer one', async () => {
    const waiting: ((answer: PageAnswer) => void)[] = []
    const signals: AbortSignal[] = []
    const pages = new Pages({
      fetch: ({ signal }) => {
        signals.push(signal)
        return new Promise((done) => waiting.push(done))
      },
      changed: () => {},
    })
    pages.reset()
    pages.reset()
    expect(signals[0]?.aborted).toBe(true)
    waiting[1]?.({ ids: ['new'], next: null })
    await settled()
    waiting[0]?.({ ids: ['old'], next: null })
    await settled()
    expect(pages.loaded()).toEqual(['new'])
  })

  test('refreshes only the visible pages, and finds every row at its new position', async () => {
    const list = new List(1_000)
    const { pages, dropped } = windowOn(list)
    pages.reset()
    await settled()
    pages.look(0, 15)
    await settled()
    list.ids.splice(3, 1)
    list.ids.splice(10, 0, 105)
    list.ids.splice(11, 0, 107)
    const before = list.asked.length
    await pages.refresh(true)
    await settled()
    expect(list.asked[before]).toMatchObject({ cursor: null, background: true })
    expect(pages.placeOf('40')).toBeNull()
    expect(dropped).toContain('40')
    expect(pages.placeOf('105')).toBe(list.ids.indexOf(105))
    // The next page starts one row earlier now: it is read again once visible, and no row is lost or duplicated.
    for (const place of [100, 250, 450, 650, 800]) {
      pages.look(place, place + 15)
      await settled()
    }
    expect(pages.loaded()).toEqual(list.ids.map(String))
  })

  test('a list that became shorter ends earlier', async () => {
    const list = new List(450)
    const { pages } = windowOn(list)
    pages.reset()
    await settled()
    pages.look(1, 16)
    await settled()
    expect(pages.total).toBe(450)
    list.ids = list.ids.slice(0, 5)
    await pages.refresh(true)
    expect(pages.total).toBe(5)
    expect(pages.loaded()).toHaveLength(5)
  })

  test('[API-140] a failed page is reported, and retried on request', async () => {
    const list = new List(300)
    let broken = true
    const pages = new Pages({
      fetch: async (query) => {
        if (broken) throw new Error('No')
        return list.fetch(query)
      },
      changed: () => {},
    })
    pages.reset()
    await settled()
    expect(pages.error).toBeInstanceOf(Error)
    broken = false
    pages.retry()
    await settled()
    expect(pages.error).toBeNull()
    expect(pages.idAt(0)).toBe('10')
  })

  test('a failed background refresh keeps the shown rows', async () => {
    const list = new List(300)
    let broken = false
    const pages = new Pages({
      fetch: async (query) => {
        if (broken) throw new Error('No')
        return list.fetch(query)
      },
      changed: () => {},
    })
    pages.reset()
    await settled()
    broken = true
    await pages.refresh(true)
    expect(pages.error).toBeNull()
    expect(pages.idAt(0)).toBe('10')
  })
})

describe('the scroll space', () => {
  test('[CONST-007] a row is 50 pixels high', () => expect(rowHeight).toBe(50))

  test('fits a short list completely', () => {
    expect(spaceFor({ origin: 0, rows: 0 }, 0, 1_000, 0)).toEqual({ origin: 0, rows: 1_000 })
    expect(spaceFor({ origin: 0, rows: 0 }, -2_000, 0, -5)).toEqual({ origin: -2_000, rows: 2_000 })
  })

  test.each([1, -1])('shows every one of a million rows, moving by %i page at a time, with few window shifts', (way) => {
    let space: Space = { origin: 0, rows: 0 }
    let moves = 0
    const [low, high] = way === 1 ? [0, 1_000_000] : [-1_000_000, 0]
    for (let step = 0; step < 1_000_000; step += 500) {
      const first = way === 1 ? step : -step - 16
      const next = spaceFor(space, Math.max(low, first - 1_000_000), Math.min(high, first + 1_000_000), first)
      if (next.origin !== space.origin) moves += 1
      space = next
      expect(space.rows).toBeLessThanOrEqual(spaceRows)
      expect(first).toBeGreaterThanOrEqual(space.origin)
      expect(Math.min(first + 16, high)).toBeLessThanOrEqual(space.origin + space.rows)
    }
    expect(moves).toBeLessThan(20)
  })

  test.each([
    // Scrolled to its top, with the row under the cursor visible: new rows above it are shown.
    [0, 0, 1, true],
    [0, 3, 5, true],
    // The row under the cursor would become invisible.
    [0, 9, 10, false],
    // It was invisible already.
    [0, 40, 41, true],
    // Scrolled down, the visible rows stay in place.
    [50, 2, 3, false],
    [2_000, 41, 42, false],
  ])('scrolled by %i, its cursor moved from %i to %i, it stays at its top: %s', (offset, before, now, stays) => {
    expect(staysAtTop(offset, before, now, 10 * rowHeight)).toBe(stays)
  })

  test('does not move while rows are added below', () => {
    let space: Space = { origin: 0, rows: 0 }
    for (let high = 1_000; high < 170_000; high += 200) {
      space = spaceFor(space, 0, high, high - 900)
      expect(space.origin).toBe(0)
    }
  })
})
