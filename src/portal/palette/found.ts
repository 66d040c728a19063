import { atom } from 'jotai/vanilla'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal, Unanswered } from '#kernel/wire.ts'
import { keepFound } from '#portal/palette/found-locally.ts'
import { store } from '#portal/app/store.ts'
import { suggestQuery } from '#portal/palette/suggest.ts'
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

/** Milliseconds of rest before text is sent; an id is sent at once. */
const rest = 120

let current = 0
let abort: AbortController | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let askNow: () => void = () => {}
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
 * Asks the API: ids at once, text after a rest. What was asked before is aborted, and its answer, should it still come,
 * is dropped by its number.
 */
export function seek(seeking: Seeking): void {
  stop()
  const { asked, text, ids } = seeking
  const number = ++current
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
  const askIds = once(() => {
    for (const { entity, id } of ids) void askId(number, entity, id, signalled())
  })
  const askText = once(() => {
    for (const entity of lists) void askList(number, entity, text, signalled())
  })
  // The letter is drawn before anything is sent.
  if (ids.length) requestAnimationFrame(() => setTimeout(askIds))
  if (lists.length) timer = setTimeout(askText, rest)
  askNow = () => {
    askIds()
    askText()
  }
}

/** Made when something is asked: whoever types on before that pays for no abort. */
function signalled(): AbortSignal {
  abort ??= new AbortController()
  return abort.signal
}

/** Something that is done at most once, and not at all after another search began. */
function once(ask: () => void): () => void {
  const number = current
  let asked = false
  return () => {
    if (asked || number !== current) return
    asked = true
    ask()
  }
}

/** Ends the rest: what is typed is asked for now. */
export function seekNow(): void {
  clearTimeout(timer)
  askNow()
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
  askNow = () => {}
  abort?.abort()
  abort = null
}

/** Reads one thing by its id; null where there is none. Throws what the wire throws otherwise. */
export async function readThing(entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> {
  const [name] = Object.keys(entity.get.params.shape)
  try {
    return await wire.read(entity.get, name ? { [name]: id } : {}, undefined, signal ? { signal } : undefined)
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
  if (answer.state === 'hit') keepFound(entity, [answer.thing])
  asking = { ...asking, ids: { ...asking.ids, [entity.name]: answer } }
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
  asking = { ...asking, lists: { ...asking.lists, [entity.name]: answer } }
  store.set(foundAtom, asking)
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof Unanswered) return error.detail ?? 'The server did not answer. Check the network.'
  return error instanceof Refusal ? error.message : 'The answer was not understood.'
}
