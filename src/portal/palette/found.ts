import { atom } from 'jotai/vanilla'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal, Unanswered } from '#kernel/wire.ts'
import { type SearchKind, search, searchKinds } from '#contract/search.ts'
import type { AnswerOf } from '#contract/define.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import { keepFound } from '#portal/palette/found-locally.ts'
import { store } from '#portal/app/store.ts'
import { readWhole } from '#portal/records/freshness.ts'
import { suggestLimit, suggestQuery } from '#portal/palette/suggest.ts'
import { wire } from '#portal/api/client.ts'

/** How the search of one noun stands. */
export interface FoundList {
  state: 'waiting' | 'done' | 'failed'
  rows: readonly unknown[]
  /** Milliseconds from asking to the answer. */
  took: number | null
  /** True where the API has more than it was asked for. */
  more: boolean
  problem: string | null
}

/** How the look-up of one id stands. */
export interface FoundId {
  id: string
  state: 'waiting' | 'hit' | 'miss' | 'failed'
  thing: unknown
  problem: string | null
}

/** What the API found for exactly `asked`. */
export interface Found {
  asked: string
  lists: Readonly<Record<string, FoundList>>
  ids: Readonly<Record<string, FoundId>>
}

const nothing: Found = { asked: '', lists: {}, ids: {} }
export const foundAtom = atom<Found>(nothing)

/** Milliseconds that the answer to a text typed over is waited for; then the newest text is asked all the same. */
const patience = 300

let current = 0
/** The newest text, until it is asked. */
let wanted: (() => Promise<unknown>) | null = null
/** What is asked now: one at a time, so that a fast typist does not wait behind answers that nobody wants. */
let round: { abort: AbortController; began: number } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
/** What is being asked; shown from its first answer on, so that a keystroke draws once. */
let asking: Found = nothing

export interface Seeking {
  /** Stands for everything that decides the answer; results of another `asked` are never shown. */
  asked: string
  text: string
  lists: readonly AnyEntity[]
  ids: readonly { entity: AnyEntity; id: string }[]
}

/** Text this short matches nearly everything: only what is known locally is shown for it. */
const textual = ({ text, lists }: Seeking): readonly AnyEntity[] => (text.length >= 2 ? lists : [])

/** What the API found for this, and nothing of anything else; `waiting` while an answer is outstanding. */
export function foundFor(found: Found, seeking: Seeking): { found: Found; waiting: boolean } {
  if (found.asked !== seeking.asked) return { found: nothing, waiting: seeking.ids.length > 0 || textual(seeking).length > 0 }
  const answers = [...Object.values(found.lists), ...Object.values(found.ids)]
  return { found, waiting: answers.some((each) => each.state === 'waiting') }
}

/**
 * Asks the API: the first text at once; while that is on its way, the newest next. An answer to a text that was typed
 * over is dropped by its number.
 */
export function seek(seeking: Seeking): void {
  const number = ++current
  const { asked, ids } = seeking
  const lists = textual(seeking)
  asking = {
    asked,
    lists: Object.fromEntries(
      lists.map((entity) => [entity.name, { state: 'waiting' as const, rows: [], took: null, more: false, problem: null }]),
    ),
    ids: Object.fromEntries(
      ids.map(({ entity, id }) => [entity.name, { id, state: 'waiting' as const, thing: undefined, problem: null }]),
    ),
  }
  if (!lists.length && !ids.length) {
    stop()
    return
  }
  wanted = () => askFor(number, { ...seeking, lists })
  // The letter is drawn before anything is sent.
  requestAnimationFrame(() => setTimeout(askNewest))
}

function askNewest(): void {
  clearTimeout(timer)
  if (!wanted) return
  const left = round ? round.began + patience - performance.now() : 0
  if (left > 0) {
    timer = setTimeout(askNewest, left)
    return
  }
  round?.abort.abort()
  const mine = { abort: new AbortController(), began: performance.now() }
  round = mine
  const ask = wanted
  wanted = null
  void ask().finally(() => {
    if (round !== mine) return
    round = null
    askNewest()
  })
}

/** Asks what is typed now, whatever is on its way. */
export function seekNow(): void {
  if (!wanted) return
  round?.abort.abort()
  round = null
  askNewest()
}

/** Ends the search and forgets what it found. */
export function stopSeeking(): void {
  stop()
  current++
  asking = nothing
  store.set(foundAtom, nothing)
}

function stop(): void {
  clearTimeout(timer)
  wanted = null
  round?.abort.abort()
  round = null
}

/** One call for all nouns that the API searches at once; one call for each noun and id where it does not. */
async function askFor(number: number, { text, lists, ids }: Seeking): Promise<unknown> {
  const { signal } = (round as NonNullable<typeof round>).abort
  const together = store.get(offersAtom)(search)
  const apart = (entity: AnyEntity) => !together || !kindOf(entity)
  const [own, ownIds] = [lists.filter(apart), ids.filter(({ entity }) => apart(entity))]
  const rest = { lists: lists.filter((entity) => !apart(entity)), ids: ids.filter(({ entity }) => !apart(entity)) }
  return Promise.all([
    rest.lists.length || rest.ids.length ? askTogether(number, { text, ...rest }, signal) : null,
    ...own.map((entity) => askList(number, entity, text, signal)),
    ...ownIds.map(({ entity, id }) => askId(number, entity, id, signal)),
  ])
}

/** What the search of the API calls a noun; undefined where it does not know it. */
const kindOf = (entity: AnyEntity): SearchKind | undefined => searchKinds.find((kind) => entity.list.path === `/${kind}`)

async function askTogether(number: number, seeking: Omit<Seeking, 'asked'>, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  const { text, lists, ids } = seeking
  const include = lists.map((entity) => entity.query['include']).find(Boolean)
  let answer: AnswerOf<typeof search> = { lists: {}, things: {} }
  let problem: string | null = null
  try {
    answer = (await wire.read(
      search,
      {},
      {
        limit: String(suggestLimit),
        ...(lists.length ? { q: text.slice(0, 200), kinds: lists.map(kindOf).join() } : {}),
        ...(ids.length ? { ids: ids.map(({ entity, id }) => `${kindOf(entity)}:${id}`).join() } : {}),
        ...(include ? { include } : {}),
      },
      { signal },
    )) as typeof answer
  } catch (error) {
    problem = sentenceOf(error)
  }
  if (number !== current) return
  const took = problem ? null : performance.now() - began
  for (const entity of lists) {
    const body = answer.lists[kindOf(entity) as SearchKind]
    const rows = body ? entity.rows(body as never) : []
    keepFound(entity, rows)
    put(entity, { state: problem ? 'failed' : 'done', rows, took, more: body?.lek != null, problem })
  }
  for (const { entity, id } of ids) {
    const thing = answer.things[kindOf(entity) as SearchKind]
    putId(entity, { id, state: problem ? 'failed' : thing ? 'hit' : 'miss', thing, problem })
  }
  store.set(foundAtom, asking)
}

function put(entity: AnyEntity, list: FoundList): void {
  asking = { ...asking, lists: { ...asking.lists, [entity.name]: list } }
}

function putId(entity: AnyEntity, answer: FoundId): void {
  if (answer.state === 'hit') {
    keepFound(entity, [answer.thing])
    readWhole(answer.thing)
  }
  asking = { ...asking, ids: { ...asking.ids, [entity.name]: answer } }
}

/** Reads one thing by its id; null where there is none. Throws what the wire throws otherwise. */
async function readThing(entity: AnyEntity, id: string, signal: AbortSignal): Promise<unknown> {
  const [name] = Object.keys(entity.get.params.shape)
  try {
    return await wire.read(entity.get, name ? { [name]: id } : {}, undefined, { signal })
  } catch (error) {
    if (error instanceof Refusal && [400, 404, 422].includes(error.problem.status)) return null
    throw error
  }
}

async function askId(number: number, entity: AnyEntity, id: string, signal: AbortSignal): Promise<void> {
  let answer: FoundId
  try {
    const thing = await readThing(entity, id, signal)
    answer = { id, state: thing === null ? 'miss' : 'hit', thing: thing ?? undefined, problem: null }
  } catch (error) {
    answer = { id, state: 'failed', thing: undefined, problem: sentenceOf(error) }
  }
  if (number !== current) return
  putId(entity, answer)
  store.set(foundAtom, asking)
}

async function askList(number: number, entity: AnyEntity, text: string, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  let answer: FoundList
  try {
    const query = suggestQuery(entity, text)
    const body = query && (await wire.read(entity.list, {}, query, { signal }))
    const more = (body as { lek?: unknown } | null)?.lek != null
    const rows = body ? entity.rows(body as never) : []
    answer = { state: 'done', rows, took: performance.now() - began, more, problem: null }
  } catch (error) {
    answer = { state: 'failed', rows: [], took: null, more: false, problem: sentenceOf(error) }
  }
  if (number !== current) return
  keepFound(entity, answer.rows)
  put(entity, answer)
  store.set(foundAtom, asking)
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof Unanswered) return error.detail ?? 'The server did not answer. Check the network.'
  return error instanceof Refusal ? error.message : 'The answer was not understood.'
}
