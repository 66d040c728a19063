import { useEffect } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { receive } from '#portal/records/freshness.ts'
import { readOne } from '#portal/records/read-one.ts'

/** Milliseconds between two polls. */
const soon = 1_500

/** Polls a record while a background job changes it, without extending the session. */
export function useReadAgain(entity: AnyEntity, id: string, changing: boolean): void {
  useEffect(() => {
    if (!changing) return
    const control = new AbortController()
    const { signal } = control
    const read = async () => receive(entity.name, [await readOne(entity, id, { background: true, signal })])
    // Failures are ignored, since the record itself is refreshed as well.
    const timer = setInterval(() => document.visibilityState === 'visible' && void read().catch(() => {}), soon)
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [entity, id, changing])
}

/**
 * Reads a record again if something else, such as its history, returned a later version (`knownVersion`), so that one screen is
 * consistent.
 */
export function useReadNewer(entity: AnyEntity, one: unknown, knownVersion: number): void {
  const id = entity.id(one)
  const isOlder = knownVersion > entity.version(one)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later version fetches again
  useEffect(() => {
    if (!isOlder) return
    const control = new AbortController()
    readOne(entity, id, { background: true, signal: control.signal }).then(
      (row) => receive(entity.name, [row]),
      // Failures are ignored, since the record itself is refreshed as well.
      () => {},
    )
    return () => control.abort()
  }, [entity, id, knownVersion, isOlder])
}
