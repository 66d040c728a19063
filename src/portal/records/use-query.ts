import { type DependencyList, useCallback, useEffect, useRef, useState } from 'react'
import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { apiClient } from '#portal/api/client.ts'
import { keepFresh } from '#portal/records/freshness.ts'
import { refreshRecord } from '#portal/records/load-record.ts'

/** What is known of a read. After a failure the value of an earlier read with the same key stays. */
export type Query<T> = { again: () => Promise<void> } & (
  | { state: 'loading'; value: undefined; error: undefined }
  | { state: 'there'; value: T; error: undefined }
  | { state: 'failed'; value: T | undefined; error: unknown }
)

interface QueryOptions {
  /** Reads again whenever it changes; the value stays until then. */
  version?: unknown
  /** Debounce in milliseconds. */
  rest?: number
  /** Reads again while the page is visible, and when it becomes visible; a number is the interval in milliseconds. */
  fresh?: boolean | number
}

const isSameKey = (a: DependencyList | null, b: DependencyList | null): boolean =>
  a === b || (a?.length === b?.length && (a ?? []).every((each, at) => Object.is(each, b?.[at])))

/**
 * Reads from the API while a component is mounted: the hook for it (docs/decisions/2026-11-30-one-hook-reads.md). A new
 * `key` starts over without a value; nothing is read while it is null. A read that is no longer wanted is aborted, and its answer
 * dropped. `again` reads again, as after a failure; it resolves when the read has ended, also in a failure.
 */
export function useQuery<T>(
  read: (signal: AbortSignal) => Promise<T>,
  key: DependencyList | null,
  { version, rest = 0, fresh = false }: QueryOptions = {},
): Query<T> {
  const [known, setKnown] = useState<{ key: DependencyList; value?: T | undefined; there?: boolean; error?: unknown }>()
  const [round, setRound] = useState(0)
  const lastKey = useRef(key)
  if (!isSameKey(lastKey.current, key)) lastKey.current = key
  const own = lastKey.current
  const latest = useRef(read)
  latest.current = read
  const busy = useRef(false)
  const waiting = useRef<(() => void)[]>([])
  const ended = useCallback(() => {
    for (const resolve of waiting.current.splice(0)) resolve()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and a retry read again
  useEffect(() => {
    if (own === null) return
    const control = new AbortController()
    const { signal } = control
    const start = async () => {
      busy.current = true
      try {
        const value = await latest.current(signal)
        if (!signal.aborted) setKnown({ key: own, value, there: true })
      } catch (error) {
        if (!signal.aborted) setKnown((now) => ({ ...(now?.key === own ? now : { key: own }), error: error ?? 'failed' }))
      } finally {
        if (!signal.aborted) {
          busy.current = false
          ended()
        }
      }
    }
    const timer = rest ? setTimeout(() => void start(), rest) : void start()
    return () => {
      clearTimeout(timer ?? undefined)
      control.abort()
    }
  }, [own, version, round, rest])
  const refreshes = own !== null && fresh
  useEffect(() => {
    // A read under way is not started over, or a slow API would never answer one.
    const refresh = () => busy.current || setRound((now) => now + 1)
    if (refreshes) return keepFresh(refresh, refreshes === true ? undefined : refreshes)
  }, [refreshes])
  useEffect(() => ended, [ended])
  const again = () => {
    if (own === null) return Promise.resolve()
    setKnown((now) => (now?.there ? { key: now.key, value: now.value, there: true } : undefined))
    setRound((now) => now + 1)
    return new Promise<void>((resolve) => waiting.current.push(resolve))
  }
  const here = known?.key === own ? known : undefined
  if (here?.error !== undefined) return { state: 'failed', value: here.value, error: here.error, again }
  if (here?.there) return { state: 'there', value: here.value as T, error: undefined, again }
  return { state: 'loading', value: undefined, error: undefined, again }
}

/** The answer of a call, for a part of a screen; nothing is read while `at` is null. */
export function useAnswer<E extends AnyEndpoint>(
  endpoint: E,
  at: At | null,
  { query, ...options }: QueryOptions & { query?: Readonly<Record<string, string>> | undefined } = {},
): Query<AnswerOf<E>> {
  return useQuery(
    async (signal) => (await apiClient.read(endpoint, at ?? {}, query, { signal, background: true })) as AnswerOf<E>,
    at && [endpoint, JSON.stringify([at, query])],
    options,
  )
}

/** Reads a record into the entity store, and again as `options` say; nothing is read while `id` is null. Failures are ignored. */
export const useRefresh = (entity: AnyEntity, id: string | null, options?: QueryOptions): void =>
  void useQuery((signal) => refreshRecord(entity, id ?? '', signal), id === null ? null : [entity, id], options)

/** Reads a record again if something else, such as its history, has a later version, so that one screen is consistent. */
export const useNewer = (entity: AnyEntity, one: unknown, version: number): void =>
  useRefresh(entity, version > entity.version(one) ? entity.id(one) : null, { version })
