import { nextPlace, placeQuery } from '#kernel/list-pages.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { canBeginWith, gather } from '#portal/list/answers.ts'
import type { ListDefinition, ListScope } from '#portal/list/definition.ts'
import type { PageAnswer, PageQuery } from '#portal/list/pages.ts'
import { store } from '#portal/platform/store.ts'

/** The query of a list. */
export interface ListQuery {
  /** Parameters of filters and search: defines 'all that match'. */
  filter: Readonly<Record<string, string>>
  /** Null if the list has only one order. */
  sort: { id: string; order: 'asc' | 'desc' } | null
}

/** Everything that a request of a list needs. */
export interface ListRequest {
  source: ListDefinition['source']
  of: ListScope['of']
  asked: ListQuery
}

/** Path and query parameters that are the same for every page. */
export function partOf({ source, of }: Pick<ListRequest, 'source' | 'of'>) {
  const id = of?.id ?? ''
  return { at: source.at?.(id) ?? {}, query: source.query?.(id) ?? {} }
}

/** The filters of a list as a query of its noun's list. */
export function inWhole({ source, of, asked }: Omit<ListRequest, 'asked'> & { asked: ListQuery | null }): Record<string, string> {
  const query = { ...partOf({ source, of }).query, ...asked?.filter }
  return { ...(source.inWhole?.(query, of?.id ?? '') ?? query) }
}

function queryOf(asking: ListRequest, direction: 'after' | 'before'): Record<string, string> {
  const { filter, sort } = asking.asked
  return {
    ...asking.source.always,
    ...partOf(asking).query,
    ...filter,
    ...(sort ? { sort: sort.id, 'sort-order': sort.order } : {}),
    ...(direction === 'before' ? { direction } : {}),
  }
}

/** Fetches one page of the list; `receive` stores the rows and returns their ids. */
export function pageOf(
  asking: ListRequest,
  { cursor, direction, background, signal }: PageQuery,
  size: number,
  receive: (rows: readonly unknown[]) => readonly string[],
): Promise<PageAnswer> {
  const { endpoint, parts, rows } = asking.source
  const { at } = partOf(asking)
  const query = queryOf(asking, direction)
  return gather(cursor, size, async (from) => {
    if (parts) {
      const place = Math.max(
        0,
        parts.findIndex(({ path }) => path === from),
      )
      const answer = await apiClient.read(parts[place] ?? endpoint, at, query, { signal, background })
      return { ids: receive(rows(answer as never)), next: parts[place + 1]?.path ?? null }
    }
    const answer = await apiClient.read(
      endpoint,
      at,
      { ...query, ...placeQuery(store.get(capabilitiesAtom), endpoint, from, size) },
      { signal, background },
    )
    return { ids: receive(rows(answer as never)), next: nextPlace(answer as never) }
  })
}

/** A row and its neighbor in a direction, as far as they are in the list; null if the API does not support it. */
export async function rowsFrom(asking: ListRequest, id: string, step: 1 | -1): Promise<readonly unknown[] | null> {
  const { endpoint, rows } = asking.source
  if (!canBeginWith(endpoint)) return null
  const query = { ...queryOf(asking, step === 1 ? 'after' : 'before'), limit: '2', 'from-id': id }
  return rows((await apiClient.read(endpoint, partOf(asking).at, query)) as never)
}
