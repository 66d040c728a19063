import { useEffect, useState } from 'react'
import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import { detailOf } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'

/** Answer for a part of a record: undefined until loaded; `failed` has the server's words, or null without any. */
export interface AnswerState<E extends AnyEndpoint> {
  answer: AnswerOf<E> | undefined
  failed: { detail: string | null } | null
  again: () => void
}

/**
 * Fetches a part of a record, with `query` for lists, after a debounce of `rest` milliseconds, and again whenever `version`
 * changes. Nothing is fetched while `at` is null.
 */
export function useAnswer<E extends AnyEndpoint>(
  endpoint: E,
  at: At | null,
  { version = 0, rest = 0, query }: { version?: number; rest?: number; query?: Record<string, string> } = {},
): AnswerState<E> {
  const place = at && JSON.stringify({ at, query })
  const [state, setState] = useState<{ place: string } & Pick<AnswerState<E>, 'answer' | 'failed'>>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and a retry fetch again
  useEffect(() => {
    if (place === null) return
    const control = new AbortController()
    const { signal } = control
    const read = async () => {
      try {
        const asked = JSON.parse(place) as { at: At; query?: Record<string, string> }
        const answer = (await apiClient.read(endpoint, asked.at, asked.query, {
          signal,
          background: true,
        })) as AnswerOf<E>
        setState({ place, answer, failed: null })
      } catch (error) {
        if (!signal.aborted) setState({ place, answer: undefined, failed: { detail: detailOf(error) } })
      }
    }
    const timer = setTimeout(() => void read(), rest)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [endpoint, place, version, round])
  const known = state?.place === place ? state : undefined
  return { answer: known?.answer, failed: known?.failed ?? null, again: () => setRound((now) => now + 1) }
}
