import type { AnyEntity } from '#kernel/entity.ts'
import { takesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/app/store.ts'

/** At most this many things of a noun are suggested (CONST-003). */
export const suggestLimit = 20

/**
 * The query that suggests things of a noun for what is typed: by `q` where the API takes it, else by `name`; null where
 * its list can be asked for neither.
 */
export function suggestQuery(entity: AnyEntity, text: string): Record<string, string> | null {
  const query = { ...entity.query, limit: String(suggestLimit) }
  if (!text) return query
  const by = ['q', 'name'].find((name) => name in entity.list.query.shape && store.get(takesAtom)(entity.list, name))
  return by ? { ...query, [by]: text.slice(0, 200) } : null
}
