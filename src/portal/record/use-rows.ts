import { useCallback, useEffect, useState } from 'react'
import type { AnyEndpoint } from '#contract/define.ts'
import { Refusal, Unanswered } from '#kernel/wire.ts'
import { wire } from '#portal/state/wire.ts'

/** Rows of a record's own list, page by page. */
export interface Rows<T> {
  /** Undefined until the first answer. */
  rows: readonly T[] | undefined
  problem: string | null
  /** Null where there are no more. */
  more: (() => void) | null
  again: () => void
}

const perPage = '100'

/** What is read, and how its answer is understood; declared once, outside the component. */
export interface RowsOf<T> {
  endpoint: AnyEndpoint
  rows: (answer: never) => readonly T[]
  /** False where the answer is whole. */
  paged: boolean
  /** Parameters of the query, of the record's id. */
  query?: (id: string) => Record<string, string>
  /** Said when it cannot be read and the server gives no reason. */
  problem: string
}

/** Reads the rows of a record; again whenever its version moves. */
export function useRows<T>(of: RowsOf<T>, id: string, version: number): Rows<T> {
  const [loaded, setLoaded] = useState<{ rows: readonly T[]; lek: string | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [round, setRound] = useState(0)

  const read = useCallback(
    async (lek: string | null, signal: AbortSignal) => {
      const at: Record<string, string> = 'id' in of.endpoint.params.shape ? { id } : {}
      const query = { ...of.query?.(id), ...(of.paged ? { limit: perPage } : {}), ...(lek === null ? {} : { lek }) }
      try {
        const answer = (await wire.read(of.endpoint, at, query, { signal, background: lek === null })) as { lek?: string | null }
        const rows = of.rows(answer as never)
        setProblem(null)
        setLoaded((now) => ({ rows: lek === null ? rows : [...(now?.rows ?? []), ...rows], lek: answer.lek ?? null }))
      } catch (error) {
        if (signal.aborted) return
        const detail = error instanceof Refusal ? error.problem.detail : error instanceof Unanswered ? error.detail : null
        setProblem(detail ?? of.problem)
      }
    },
    [of, id],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and another try are reasons to read again
  useEffect(() => {
    const control = new AbortController()
    void read(null, control.signal)
    return () => control.abort()
  }, [read, version, round])

  return {
    rows: loaded?.rows,
    problem,
    more: loaded?.lek ? () => void read(loaded.lek, new AbortController().signal) : null,
    again: () => setRound((now) => now + 1),
  }
}
