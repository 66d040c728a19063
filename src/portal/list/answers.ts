import type { AnyEndpoint } from '#contract/define.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { type PageAnswer, pageSize } from '#portal/list/pages.ts'

/** Rows per page if the API decides the length of its answers. */
const gatheredSize = 50

const takes = (endpoint: AnyEndpoint, name: string): boolean => store.get(capabilitiesAtom)(endpoint, name)

/** Page size of a list: ours if the API has a limit parameter. */
export const sizeOf = (endpoint: AnyEndpoint): number => (takes(endpoint, 'limit') ? pageSize : gatheredSize)

/** Whether the API can read a list from its end. */
export const isReversible = (endpoint: AnyEndpoint): boolean => takes(endpoint, 'direction')

/** Whether the API can read a list from a given row. */
export const canBeginWith = (endpoint: AnyEndpoint): boolean => takes(endpoint, 'from-id')

/** One answer of a list: its ids, and the start of the next one; null at the end. */
interface Answer {
  ids: readonly string[]
  next: string | null
}

/** Our own cursor: number of rows of an answer that belong to the previous page, and the position of that answer. */
type Cursor = [skip: number, from: string | null]

/**
 * Builds pages of a fixed size out of answers of any length, since the grid finds rows by page number. An answer without new rows
 * ends the list.
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
