import { useCallback, useEffect, useState } from 'react'
import { namedViews } from '#contract/named-views.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Situation } from '#kernel/situation.ts'
import { wire } from '#portal/api/client.ts'
import { narrowing, readFilters } from '#portal/list/filters.ts'
import { sentenceOf } from '#portal/palette/ask.ts'
import { mostThings } from '#portal/palette/thing-rows.ts'

interface FirstRows {
  rows: readonly unknown[]
  loading: boolean
  /** Why there are none. */
  problem: string | null
}

const none: FirstRows = { rows: [], loading: false, problem: null }

/**
 * The first rows of a list as it opens, which is what is left to be done, for whoever is asked for one of a noun whose list is not
 * there, as long as they are `wanted`. `again` asks once more.
 */
export function useFirstRows(entity: AnyEntity, { held, offers }: Situation, wanted: boolean): FirstRows & { again: () => void } {
  const asks = wanted && offers(entity.list)
  const [first, setFirst] = useState({ ...none, loading: asks })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one try more asks again
  useEffect(() => {
    if (!asks) return setFirst(none)
    setFirst({ ...none, loading: true })
    const gone = new AbortController()
    const search = new URLSearchParams(namedViews[entity.path]?.[0]?.search)
    const sort = search.get('sort')
    const query = {
      ...entity.query,
      ...narrowing(readFilters(entity.filters, search, held), '', entity.list),
      ...(sort ? { sort } : {}),
      limit: String(mostThings),
    }
    const take = (more: Partial<FirstRows>) => !gone.signal.aborted && setFirst({ ...none, ...more })
    wire.read(entity.list, {}, query, { signal: gone.signal }).then(
      (answer) => take({ rows: entity.rows(answer as never) }),
      (error: unknown) => take({ problem: sentenceOf(error) }),
    )
    return () => gone.abort()
  }, [asks, entity, held, tries])
  return { ...first, again: useCallback(() => setTries((now) => now + 1), []) }
}
