import type { AnyEndpoint } from '#contract/define.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { type PageAnswer, pageSize } from '#portal/list/pages.ts'

/** Rows of a page of ours where the API decides how many it answers. */
const gatheredSize = 50

const takes = (endpoint: AnyEndpoint, name: string): boolean => store.get(capabilitiesAtom)(endpoint, name)

/** How many rows a page of a list has: as many as we ask for, where the API can be asked. */
export const sizeOf = (endpoint: AnyEndpoint): number => (takes(endpoint, 'limit') ? pageSize : gatheredSize)

/** Whether the API reads a list from its end, too. */
export const isReversible = (endpoint: AnyEndpoint): boolean => takes(endpoint, 'direction')

/** Whether the API reads a list from one of its rows on. */
export const canBeginWith = (endpoint: AnyEndpoint): boolean => takes(endpoint, 'from-id')

/** One answer of a list: its ids, and where the next one begins; null at the end. */
interface Answer {
  ids: readonly string[]
  next: string | null
}

/** The parameters that ask for the answer that begins at a place of the API: by its cursor, else by the number of a page. */
export function placeQuery(endpoint: AnyEndpoint, from: string | null, size: number): Record<string, string> {
  const places = takes(endpoint, 'lek')
  if (!places && takes(endpoint, 'lastEvaluatedKey'))
    return { pageSize: String(size), ...(from === null ? {} : { lastEvaluatedKey: from }) }
  if (places || !takes(endpoint, 'page')) return { limit: String(size), ...(from === null ? {} : { lek: from }) }
  return { page: from ?? '0', pageSize: String(size) }
}

/** Where the next answer begins, by what an answer says of itself. Pages are counted from 0. */
export function nextPlace(answer: {
  lek?: string | null
  last_evaluated_key?: string | null
  page?: number | null
  total_pages?: number | null
}): string | null {
  const { page, total_pages: pages } = answer
  const lek = answer.lek ?? answer.last_evaluated_key
  if (lek !== undefined && lek !== null) return lek
  return typeof page === 'number' && typeof pages === 'number' && page < pages - 1 ? String(page + 1) : null
}

/** A cursor of ours: how many rows of an answer belong to the page before, and where that answer begins. */
type Cursor = [skip: number, from: string | null]

/**
 * Makes a page of a fixed number of rows out of answers of any length: the grid finds a row by the number of its page. An
 * answer that says nothing new ends the list.
 */
export async function gather(
  cursor: string | null,
  size: number,
  read: (from: string | null) => Promise<Answer>,
): Promise<PageAnswer> {
  const ids: string[] = []
  let [skip, from]: Cursor = cursor === null ? [0, null] : (JSON.parse(cursor) as Cursor)
  const cursorOf = (...at: Cursor): string => JSON.stringify(at)
  for (;;) {
    const answer = await read(from)
    const rest = answer.ids.slice(skip)
    const room = size - ids.length
    ids.push(...rest.slice(0, room))
    if (rest.length > room) return { ids, next: cursorOf(skip + room, from) }
    if (answer.next === null || answer.next === from) return { ids, next: null }
    if (ids.length === size) return { ids, next: cursorOf(0, answer.next) }
    from = answer.next
    skip = 0
  }
}
