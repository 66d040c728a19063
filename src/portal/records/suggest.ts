import type { AnyEntity } from '#kernel/entity.ts'
import { searchedBy } from '#portal/api/capabilities.ts'

/** Maximum number of suggested records per noun (CONST-003). */
export const suggestLimit = 20

/** The query for suggestions of a noun; null if its list has no text search. */
export function suggestQuery(entity: AnyEntity, text: string): Record<string, string> | null {
  const query = { ...entity.query, limit: String(suggestLimit) }
  if (!text) return query
  const by = searchedBy(entity.list)
  return by ? { ...query, [by]: text.slice(0, 200) } : null
}
