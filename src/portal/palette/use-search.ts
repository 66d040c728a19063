import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import { scores } from '#kernel/frecency.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Situation } from '#kernel/situation.ts'
import { may } from '#domain/permissions.ts'
import { openId } from '#portal/palette/command-rows.ts'
import { readTyped, type Typed } from '#portal/palette/typed.ts'
import { type Found, foundAtom, foundFor, type Seeking, seek, seekNow, stopSeeking } from '#portal/state/found.ts'
import { indexAgain } from '#portal/state/found-locally.ts'
import { commandById, entities } from '#portal/state/registry.ts'
import { usesAtom } from '#portal/state/uses.ts'

/** Nouns that the person may search: their list may be read, the API offers it, and one of them can be opened. */
export const searchable = ({ held, offers }: Pick<Situation, 'held' | 'offers'>): AnyEntity[] =>
  entities().filter(
    (entity) => commandById(openId(entity)) !== undefined && offers(entity.list) && may(held, entity.list.needs) !== 'no',
  )

interface Search {
  typed: Typed
  found: Found
  waiting: boolean
  used: (key: string) => number
  /** Asks at once. */
  hurry: () => void
  /** Asks once more. */
  again: () => void
}

/** Reads what is typed and asks the API for it, while the page is shown. */
export function useSearch(text: string, among: readonly AnyEntity[], situation: Pick<Situation, 'held' | 'offers'>): Search {
  const answers = useAtomValue(foundAtom)
  const uses = useAtomValue(usesAtom)
  const used = useMemo(() => scores(uses, Date.now()), [uses])
  const typed = useMemo(() => readTyped(text, among, location.origin), [text, among])
  const { held, offers } = situation
  const seeking = useMemo<Seeking>(() => {
    const silent = typed.text === '' || typed.mode === 'commands' || typed.mode === 'filters' || typed.mode === 'help'
    const readable = ({ entity }: { entity: AnyEntity }) => offers(entity.get) && may(held, entity.get.needs) !== 'no'
    return {
      asked: silent ? '' : `${typed.mode} ${typed.only} ${typed.text}`,
      text: typed.text,
      lists: silent || typed.mode === 'ids' ? [] : among.filter((entity) => !typed.only || typed.only === entity.name),
      ids: silent ? [] : typed.ids.filter(readable),
    }
  }, [typed, among, held, offers])
  useLayoutEffect(() => seek(seeking), [seeking])
  useEffect(() => {
    const idle = requestIdleCallback(() => indexAgain(among), { timeout: 200 })
    return () => cancelIdleCallback(idle)
  }, [among])
  useEffect(() => stopSeeking, [])
  const again = useCallback(() => {
    seek(seeking)
    seekNow()
  }, [seeking])
  return { typed, ...foundFor(answers, seeking), used, hurry: seekNow, again }
}
