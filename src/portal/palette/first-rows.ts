import { useEffect, useState } from 'react'
import { namedViews } from '#contract/named-views.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Situation } from '#kernel/situation.ts'
import { wire } from '#portal/api/client.ts'
import { narrowing, readFilters } from '#portal/list/filters.ts'
import { mostThings } from '#portal/palette/thing-rows.ts'

interface FirstRows {
  rows: readonly unknown[]
  loading: boolean
}

const none: FirstRows = { rows: [], loading: false }

/**
 * The first rows of a list as it opens, which is what is left to be done, for whoever is asked for one of a noun whose list is not
 * there; `wanted` once it is known that they are. Without an answer there are none: a name or an id can be typed.
 */
export function useFirstRows(entity: AnyEntity, { held, offers }: Situation, wanted: boolean): FirstRows {
  const [first, setFirst] = useState(wanted ? { rows: [], loading: true } : none)
  const asks = wanted && offers(entity.list)
  useEffect(() => {
    if (!asks) return setFirst(none)
    const gone = new AbortController()
    const search = new URLSearchParams(namedViews[entity.path]?.[0]?.search)
    const sort = search.get('sort')
    const query = {
      ...entity.query,
      ...narrowing(readFilters(entity.filters, search, held), '', entity.list),
      ...(sort ? { sort } : {}),
      limit: String(mostThings),
    }
    const take = (rows: readonly unknown[]) => !gone.signal.aborted && setFirst({ rows, loading: false })
    wire.read(entity.list, {}, query, { signal: gone.signal }).then(
      (answer) => take(entity.rows(answer as never)),
      () => take([]),
    )
    return () => gone.abort()
  }, [asks, entity, held])
  return first
}
