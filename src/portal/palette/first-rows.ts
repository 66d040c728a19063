import { useCallback, useEffect, useState } from 'react'
import { firstViewOf } from '#contract/first-view.ts'
import { newestFirst } from '#contract/search.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Situation } from '#kernel/situation.ts'
import { wire } from '#portal/api/client.ts'
import { kindOf, sentenceOf } from '#portal/palette/ask.ts'
import { mostThings } from '#portal/palette/thing-rows.ts'

interface FirstRows {
  rows: readonly unknown[]
  loading: boolean
  /** Why there are none. */
  problem: string | null
}

const none: FirstRows = { rows: [], loading: false, problem: null }

/**
 * What is left to be done of money, or the newest of it, for whoever is asked for one of a noun whose list is not there, as long as it
 * is `wanted`; none of people and companies, of which none is more likely than another. `again` asks once more.
 */
export function useFirstRows(entity: AnyEntity, { held, offers }: Situation, wanted: boolean): FirstRows & { again: () => void } {
  const kind = kindOf(entity)
  const asks = wanted && kind !== undefined && newestFirst.has(kind) && offers(entity.list)
  const [first, setFirst] = useState({ ...none, loading: asks })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one try more asks again
  useEffect(() => {
    if (!asks) return setFirst(none)
    setFirst({ ...none, loading: true })
    const gone = new AbortController()
    const view = firstViewOf(entity.list.path, entity.filters, (name) => offers(entity.list, name))
    const query = { ...entity.query, 'sort-order': view['sort'] ? 'asc' : 'desc', ...view, limit: String(mostThings) }
    const take = (more: Partial<FirstRows>) => !gone.signal.aborted && setFirst({ ...none, ...more })
    wire.read(entity.list, {}, query, { signal: gone.signal }).then(
      (answer) => take({ rows: entity.rows(answer as never) }),
      (error: unknown) => take({ problem: sentenceOf(error) }),
    )
    return () => gone.abort()
  }, [asks, entity, held, tries])
  return { ...first, again: useCallback(() => setTries((now) => now + 1), []) }
}
