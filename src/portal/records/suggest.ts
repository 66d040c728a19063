import type { AnyEntity } from '#kernel/entity.ts'
import { searchedBy } from '#portal/api/capabilities.ts'

/** At most this many things of a noun are suggested (CONST-003). */
export const suggestLimit = 20

/** The query that suggests things of a noun for what is typed; null where its list cannot be asked for a text. */
export function suggestQuery(entity: AnyEntity, text: string): Record<string, string> | null {
  const query = { ...entity.query, limit: String(suggestLimit) }
  if (!text) return query
  const by = searchedBy(entity.list)
  return by ? { ...query, [by]: text.slice(0, 200) } : null
}
