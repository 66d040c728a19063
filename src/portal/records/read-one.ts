import { atId } from '#contract/define.ts'
import { notOffered } from '#kernel/availability.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal, type ApiClient } from '#kernel/api-client.ts'
import { isDescribedAtom, capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { record } from '#portal/records/entity-store.ts'

/** Whether the API says that a record may not be seen or does not exist. Other refusals do not count. */
export const isOutOfReach = (error: unknown): boolean => error instanceof Refusal && [403, 404].includes(error.problem.status)

/** Whether the API says that a record does not exist, or not for this user, which it does not distinguish. */
export const isNotThere = (error: unknown): boolean => error instanceof Refusal && error.problem.code === 'not-found'

/** How a single record can be read: by its own call, by the id filter of its list, or not at all. */
function wayTo({ get, list }: AnyEntity): 'call' | 'filter' | null {
  const supports = store.get(capabilitiesAtom)
  if (store.get(isDescribedAtom) === null || supports(get)) return 'call'
  return supports(list, 'id') ? 'filter' : null
}

/** Whether the API can return a record by its id. */
export const canReadOne = (entity: AnyEntity): boolean => wayTo(entity) !== null

const none = (detail: string | undefined): Refusal =>
  new Refusal({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', ...(detail ? { detail } : {}) })

/**
 * Fetches a record by its id. If the API has no call for that, its list is filtered by id; if that is not supported either, a
 * known row is returned as it is. Throws `Refusal` or `Unanswered`.
 */
export async function readOne(entity: AnyEntity, id: string, options?: Parameters<ApiClient['read']>[3]): Promise<unknown> {
  const way = wayTo(entity)
  if (way === 'call') return apiClient.read(entity.get, atId(entity.get, id), undefined, options)
  const rows = way ? entity.rows((await apiClient.read(entity.list, {}, { ...entity.query, id }, options)) as never) : null
  const found = rows?.find((row) => entity.id(row) === id)
  if (found !== undefined) return found
  // Other rows than the requested one: the API ignores the filter.
  const answered = rows !== null && rows.length === 0
  const known = answered ? undefined : record(entity.name, id)
  if (known === undefined) throw none(answered ? undefined : notOffered)
  return known
}
