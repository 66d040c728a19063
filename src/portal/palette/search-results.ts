import { atom } from 'jotai/vanilla'
import type { AnyEntity } from '#kernel/entity.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { type Answers, ask, type SearchResults, type SearchRequest } from '#portal/palette/ask.ts'
import { keepFound } from '#portal/records/find-locally.ts'
import { readWhole } from '#portal/records/freshness.ts'

const nothing: SearchResults = { asked: '', lists: {}, ids: {} }
export const foundAtom = atom<SearchResults>(nothing)

/** Milliseconds to wait for the answer to a superseded text; then the newest text is requested anyway. */
const maxSupersededWait = 300

let current = 0
/** The newest text, until it is requested. */
let wanted: ((signal: AbortSignal) => Promise<unknown>) | null = null
/** The request in flight: one at a time, so that a fast typist does not wait behind outdated answers. */
let inFlight: { abort: AbortController; began: number } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
/** The results being collected; shown from the first answer on, so that a keystroke renders once. */
let asking: SearchResults = nothing

/** A text this short matches nearly everything: only local results are shown for it. */
const textLists = ({ text, lists }: SearchRequest): readonly AnyEntity[] => (text.length >= 2 ? lists : [])

/** The results for this key, and none of any other; `waiting` while an answer is outstanding. */
export function foundFor(found: SearchResults, seeking: SearchRequest): { found: SearchResults; waiting: boolean } {
  if (found.asked !== seeking.asked) return { found: nothing, waiting: seeking.ids.length > 0 || textLists(seeking).length > 0 }
  const answers = [...Object.values(found.lists), ...Object.values(found.ids)]
  return { found, waiting: answers.some((each) => each.state === 'waiting') }
}

/**
 * Requests results: the first text at once; while it is in flight, only the newest one next. Answers to superseded texts are
 * dropped by their sequence number.
 */
export function seek(seeking: SearchRequest): void {
  const number = ++current
  const { asked, ids } = seeking
  const lists = textLists(seeking)
  asking = {
    asked,
    lists: Object.fromEntries(
      lists.map((entity) => [entity.name, { state: 'waiting' as const, rows: [], more: false, problem: null }]),
    ),
    ids: Object.fromEntries(
      ids.map(({ entity, id }) => [entity.name, { id, state: 'waiting' as const, record: undefined, problem: null }]),
    ),
  }
  if (!lists.length && !ids.length) {
    stop()
    return
  }
  wanted = (signal) => ask({ ...seeking, lists }, signal, (answers) => number === current && take(answers))
  // Renders the keystroke before anything is sent.
  requestAnimationFrame(() => setTimeout(askNewest))
}

function askNewest(): void {
  clearTimeout(timer)
  if (!wanted) return
  const left = inFlight ? inFlight.began + maxSupersededWait - performance.now() : 0
  if (left > 0) {
    timer = setTimeout(askNewest, left)
    return
  }
  inFlight?.abort.abort()
  const mine = { abort: new AbortController(), began: performance.now() }
  inFlight = mine
  const newest = wanted
  wanted = null
  void newest(mine.abort.signal).finally(() => {
    if (inFlight !== mine) return
    inFlight = null
    askNewest()
  })
}

/** Requests the current text, whatever is in flight. */
export function seekNow(): void {
  if (!wanted) return
  inFlight?.abort.abort()
  inFlight = null
  askNewest()
}

/** Ends the search and drops its results. */
export function stopSeeking(): void {
  stop()
  current++
  asking = nothing
  store.set(foundAtom, nothing)
}

function stop(): void {
  clearTimeout(timer)
  wanted = null
  inFlight?.abort.abort()
  inFlight = null
}

/** Shows the answers of the API, and caches them for the next keystrokes. */
function take({ lists, ids, similar }: Answers): void {
  for (const [name, { rows }] of Object.entries(lists)) keepFound(entityByName(name), rows)
  for (const [name, { state, record }] of Object.entries(ids)) {
    if (state !== 'hit') continue
    keepFound(entityByName(name), [record])
    readWhole(record)
  }
  asking = {
    ...asking,
    lists: { ...asking.lists, ...lists },
    ids: { ...asking.ids, ...ids },
    similar: { ...asking.similar, ...similar },
  }
  store.set(foundAtom, asking)
}
