import { useCallback, useEffect, useState } from 'react'
import { firstViewOf } from '#contract/first-view.ts'
import { newestFirst } from '#contract/search.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { likelyQuery } from '#kernel/suggested-filter.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { apiClient } from '#portal/api/client.ts'
import { kindOf, sentenceOf } from '#portal/palette/ask.ts'
import { maxRecords } from '#portal/palette/record-rows.ts'

interface FirstRows {
  rows: readonly unknown[]
  loading: boolean
  /** Why there are none. */
  problem: string | null
}

const none: FirstRows = { rows: [], loading: false, problem: null }

/**
 * Suggested targets of a command, while `wanted`: its own suggestion if it has one, else records with open amounts, or the
 * newest; none for people and companies, since none is more likely. Small sets are shown in full. `again` retries.
 */
export function useFirstRows(
  command: Command & { on: AnyEntity },
  { held, supports }: CommandContext,
  wanted: boolean,
): FirstRows & { again: () => void } {
  const { on: entity, suggestedFilter } = command
  const kind = kindOf(entity)
  const asks =
    wanted &&
    (suggestedFilter !== undefined || entity.few || (kind !== undefined && newestFirst.has(kind))) &&
    supports(entity.list)
  const [first, setFirst] = useState({ ...none, loading: asks })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry fetches again
  useEffect(() => {
    if (!asks) return setFirst(none)
    setFirst({ ...none, loading: true })
    const gone = new AbortController()
    const takes = (name: string) => supports(entity.list, name)
    const view = suggestedFilter ? likelyQuery(command, takes) : firstViewOf(entity.list.path, entity.filters, takes)
    const query = { ...entity.query, 'sort-order': view['sort'] ? 'asc' : 'desc', ...view, limit: String(maxRecords) }
    const take = (more: Partial<FirstRows>) => !gone.signal.aborted && setFirst({ ...none, ...more })
    apiClient.read(entity.list, {}, query, { signal: gone.signal }).then(
      (answer) => take({ rows: entity.rows(answer as never) }),
      (error: unknown) => take({ problem: sentenceOf(error) }),
    )
    return () => gone.abort()
  }, [asks, command, held, tries])
  return { ...first, again: useCallback(() => setTries((now) => now + 1), []) }
}
