import { useAtomValue } from 'jotai'
import { useCallback, useEffect } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal, detailOf } from '#kernel/wire.ts'
import { forgetElsewhere, isWhole, keepFresh, receive } from '#portal/records/freshness.ts'
import { showLoadError } from '#portal/records/load-error.ts'
import { readOne } from '#portal/records/read-one.ts'
import { recordOpened } from '#portal/records/recent.ts'
import { closeRecord } from '#portal/list/cursor.ts'
import { store } from '#portal/app/store.ts'
import { thing, thingAtom } from '#portal/records/things.ts'

/** A record that is passed by quickly, a key held down, is neither read nor remembered. */
const restMilliseconds = 250

/** One record: what is known of it at once, read in full, and again every 30 seconds and on focus. Undefined until it is there. */
export function useRecord(entity: AnyEntity, id: string): unknown {
  const one = useAtomValue(thingAtom(entity.name, id), { store })
  const known = one !== undefined

  const read = useCallback(
    async (background: boolean, signal: AbortSignal) => {
      try {
        receive(entity.name, [await readOne(entity, id, { background, signal })])
      } catch (error) {
        if (signal.aborted || (background && thing(entity.name, id) !== undefined)) return
        const word = entity.one.charAt(0).toUpperCase() + entity.one.slice(1)
        showLoadError({
          sentence: entity.notLoaded ?? `${word} ${id} could not be loaded.`,
          detail: detailOf(error),
          final: error instanceof Refusal,
          reload: () => void read(false, signal),
          back: closeRecord,
        })
      }
    },
    [entity, id],
  )

  useEffect(() => {
    const control = new AbortController()
    const before = thing(entity.name, id)
    const wait = before === undefined ? 0 : restMilliseconds
    const first = setTimeout(() => isWhole(before) || void read(wait > 0, control.signal), wait)
    const stopRefreshing = keepFresh(() => void read(true, control.signal))
    return () => {
      control.abort()
      clearTimeout(first)
      stopRefreshing()
      forgetElsewhere()
    }
  }, [entity, id, read])

  useEffect(() => {
    if (!known) return
    const timer = setTimeout(() => {
      const now = thing(entity.name, id)
      if (now !== undefined) recordOpened(entity.name, id, entity.title(now), entity.subtitle(now))
    }, restMilliseconds)
    return () => clearTimeout(timer)
  }, [entity, id, known])

  return one
}
