import type { AnswerOf } from '#contract/define.ts'
import { type SearchKind, search, searchKinds } from '#contract/search.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { wordsOf } from '#kernel/findable.ts'
import { match } from '#kernel/match.ts'
import { Refusal, Unanswered } from '#kernel/api-client.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { findableRecord } from '#portal/records/find-locally.ts'
import { suggestLimit, suggestQuery } from '#portal/records/suggest.ts'
import { readOne } from '#portal/records/read-one.ts'

/** Result of the search of one noun. */
export interface FoundList {
  state: 'waiting' | 'done' | 'failed'
  rows: readonly unknown[]
  /** True if the API has more rows than requested. */
  more: boolean
  problem: string | null
}

/** Result of the lookup of one id. */
export interface FoundId {
  id: string
  state: 'waiting' | 'hit' | 'miss' | 'failed'
  record: unknown
  problem: string | null
}

/** Answers of the API by the name of the noun. */
export interface Answers {
  lists: Readonly<Record<string, FoundList>>
  ids: Readonly<Record<string, FoundId>>
  /** Guesses: rows whose name is spelled similarly. */
  similar?: Readonly<Record<string, readonly unknown[]>>
}

/** The results for exactly `asked`. */
export interface SearchResults extends Answers {
  asked: string
}

export interface SearchRequest {
  /** Key of the request; results for another key are never shown. */
  asked: string
  text: string
  lists: readonly AnyEntity[]
  ids: readonly { entity: AnyEntity; id: string }[]
}

type OnAnswers = (answers: Answers) => void

/** Searches all nouns that the API can search together in one call, and the others with one call per noun and id. */
export async function ask({ text, lists, ids }: SearchRequest, signal: AbortSignal, onAnswers: OnAnswers): Promise<unknown> {
  const together = store.get(capabilitiesAtom)(search)
  const apart = (entity: AnyEntity) => !together || !kindOf(entity)
  const rest = { text, lists: lists.filter((entity) => !apart(entity)), ids: ids.filter(({ entity }) => !apart(entity)) }
  return Promise.all([
    rest.lists.length || rest.ids.length ? askTogether(rest, signal, onAnswers) : null,
    ...lists.filter(apart).map((entity) => askList(entity, text, signal, onAnswers)),
    ...ids.filter(({ entity }) => apart(entity)).map(({ entity, id }) => askId(entity, id, signal, onAnswers)),
  ])
}

/** The name of a noun in the API's search; undefined if it does not support it. */
export const kindOf = (entity: AnyEntity): SearchKind | undefined => searchKinds.find((kind) => entity.list.path === `/${kind}`)

async function askTogether(
  { text, lists, ids }: Omit<SearchRequest, 'asked'>,
  signal: AbortSignal,
  onAnswers: OnAnswers,
): Promise<void> {
  const include = lists.map((entity) => entity.query['include']).find(Boolean)
  let answer: AnswerOf<typeof search> = { lists: {}, records: {} }
  let problem: string | null = null
  try {
    answer = (await apiClient.read(
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
  const found = lists.map((entity): [string, FoundList] => {
    const body = answer.lists[kindOf(entity) as SearchKind]
    const rows = body ? entity.rows(body as never) : []
    return [entity.name, { state: problem ? 'failed' : 'done', rows, more: body?.lek != null, problem }]
  })
  const named = ids.map(({ entity, id }): [string, FoundId] => {
    const record = answer.records[kindOf(entity) as SearchKind]
    return [entity.name, { id, state: problem ? 'failed' : record ? 'hit' : 'miss', record, problem }]
  })
  const similar = lists.map((entity) => {
    const body = answer.similar?.[kindOf(entity) as SearchKind]
    return [entity.name, body ? entity.rows(body as never) : []] as const
  })
  onAnswers({ lists: Object.fromEntries(found), ids: Object.fromEntries(named), similar: Object.fromEntries(similar) })
}

async function askId(entity: AnyEntity, id: string, signal: AbortSignal, onAnswers: OnAnswers): Promise<void> {
  let answer: FoundId
  try {
    answer = { id, state: 'hit', record: await readOne(entity, id, { signal }), problem: null }
  } catch (error) {
    const none = error instanceof Refusal && [400, 404, 422].includes(error.problem.status)
    answer = { id, state: none ? 'miss' : 'failed', record: undefined, problem: none ? null : sentenceOf(error) }
  }
  onAnswers({ lists: {}, ids: { [entity.name]: answer } })
}

async function askList(entity: AnyEntity, text: string, signal: AbortSignal, onAnswers: OnAnswers): Promise<void> {
  let answer: FoundList
  try {
    const query = suggestQuery(entity, text)
    const body = query && (await apiClient.read(entity.list, {}, query, { signal }))
    const more = (body as { lek?: unknown } | null)?.lek != null
    const rows = (body ? entity.rows(body as never) : []).filter((row) => !query?.['name'] || isNamed(entity, row, text))
    answer = { state: 'done', rows, more, problem: null }
  } catch (error) {
    answer = { state: 'failed', rows: [], more: false, problem: sentenceOf(error) }
  }
  onAnswers({ lists: { [entity.name]: answer }, ids: {} })
}

/** Whether a record matches the name it was searched by: an API that ignores the parameter returns any record. */
function isNamed(entity: AnyEntity, row: unknown, text: string): boolean {
  const { query, words } = wordsOf(text)
  return match(findableRecord(entity, row), query, words) !== null
}

/** The error of a search as a sentence. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof Unanswered) return error.detail ?? 'The server did not answer. Check the network.'
  return error instanceof Refusal ? error.message : 'The answer was not understood.'
}
