import { capitalize } from '#domain/text.ts'
import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal, detailOf } from '#kernel/api-client.ts'
import { forgetElsewhere, isWhole, keepFresh, ownChangeAtom, receive } from '#portal/records/freshness.ts'
import { loadErrorAtom, showLoadError } from '#portal/records/load-error.ts'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { recordOpened } from '#portal/records/recent.ts'
import { giveUp } from '#portal/keyboard/hold.ts'
import { closeRecord } from '#portal/list/cursor.ts'
import type { Side } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { record, recordAtom } from '#portal/records/entity-store.ts'

/** Debounce in milliseconds: records passed by a held key are neither fetched nor remembered as opened. */
const restMilliseconds = 250

/** Why a record could not be loaded. */
export interface RecordFailure {
  /** 'Employee 104234 could not be loaded.' */
  sentence: string
  /** The server's message. */
  detail: string | null
}

let started = true

/** True while the record is the page itself: the portal was opened at its address, and nothing has been shown since. */
function isPage(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return started && entry !== undefined && new URL(entry.name).pathname === location.pathname
}

/**
 * One record: the known version at once, then read in full, and refreshed every 30 seconds and on focus. Undefined until loaded.
 * A failure is shown in its place; by the modal if the record is the page itself (SCR-076).
 */
export function useRecord(
  entity: AnyEntity,
  id: string,
  side: Side,
): { one: unknown; failure: RecordFailure | null; again: () => void } {
  const one = useAtomValue(recordAtom(entity.name, id), { store })
  const known = one !== undefined
  const [failed, setFailed] = useState<(RecordFailure & { id: string }) | null>(null)
  const [round, setRound] = useState(0)

  const read = useCallback(
    async (background: boolean, signal: AbortSignal) => {
      try {
        receive(entity.name, [await readOne(entity, id, { background, signal })])
        started = false
        setFailed(null)
      } catch (error) {
        if (signal.aborted) return
        // If a background refresh fails, the known version stays, unless the record is out of reach.
        if (background && record(entity.name, id) !== undefined) {
          if (!isOutOfReach(error)) return
          store.set(recordAtom(entity.name, id), undefined)
        }
        const word = capitalize(entity.one)
        const failure = { sentence: entity.notLoaded ?? `${word} ${id} could not be loaded.`, detail: detailOf(error) }
        if (side === 'main' && isPage()) {
          const reload = () => void read(false, signal)
          const shown = { ...failure, final: error instanceof Refusal, reload, back: closeRecord }
          showLoadError(shown)
          // Leaving by the browser's Back closes the error, too.
          signal.addEventListener('abort', () => store.set(loadErrorAtom, (now) => (now === shown ? null : now)))
          return
        }
        giveUp()
        setFailed({ ...failure, id })
      }
    },
    [entity, id, side],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry fetches again
  useEffect(() => {
    const control = new AbortController()
    const before = record(entity.name, id)
    const wait = before === undefined ? 0 : restMilliseconds
    const first = setTimeout(() => isWhole(before) || void read(wait > 0, control.signal), wait)
    const readAgain = () => void read(true, control.signal)
    // A command of this user on another record may have changed this one, such as the balance when time is approved.
    const didElsewhere = () => {
      const last = store.get(ownChangeAtom)
      if (last?.target?.entity !== entity.name || last.target.id !== id) readAgain()
    }
    const stops = [keepFresh(readAgain), store.sub(rightsChangesAtom, readAgain), store.sub(ownChangeAtom, didElsewhere)]
    return () => {
      control.abort()
      clearTimeout(first)
      for (const stop of stops) stop()
      if (side === 'main') forgetElsewhere()
    }
  }, [entity, id, side, read, round])

  useEffect(() => {
    if (!known) return
    const timer = setTimeout(() => {
      const now = record(entity.name, id)
      if (now !== undefined) recordOpened(entity.name, id, entity.title(now), entity.subtitle(now))
    }, restMilliseconds)
    return () => clearTimeout(timer)
  }, [entity, id, known])

  const again = () => {
    setFailed(null)
    setRound((now) => now + 1)
  }
  return { one, failure: known || failed?.id !== id ? null : failed, again }
}
