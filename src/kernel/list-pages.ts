import type { AnyEndpoint } from '#contract/define.ts'
import type { Supports } from '#kernel/capabilities.ts'

/** The parameters for the answer at a position of a list: a cursor of the API, else a page number. */
export function placeQuery(supports: Supports, endpoint: AnyEndpoint, from: string | null, size: number): Record<string, string> {
  const places = supports(endpoint, 'lek')
  if (!places && supports(endpoint, 'lastEvaluatedKey'))
    return { pageSize: String(size), ...(from === null ? {} : { lastEvaluatedKey: from }) }
  if (places || !supports(endpoint, 'page')) return { limit: String(size), ...(from === null ? {} : { lek: from }) }
  return { page: from ?? '0', pageSize: String(size) }
}

/** The position of the next answer, from the metadata of this one; null at the end. Pages are counted from 0. */
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
