import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import { scores } from '#kernel/frecency.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Situation } from '#kernel/situation.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { may } from '#domain/permissions.ts'
import { openId } from '#portal/palette/command-rows.ts'
import { readTyped, type Typed } from '#portal/palette/typed.ts'
import { type Found, foundAtom, foundFor, type Seeking, seek, seekNow, stopSeeking } from '#portal/state/found.ts'
import { indexAgain } from '#portal/state/found-locally.ts'
import { commandById, entities, entityByName } from '#portal/state/registry.ts'
import { usesAtom } from '#portal/state/uses.ts'

type Rights = Pick<Situation, 'held' | 'offers'>

const canRead = (endpoint: AnyEndpoint, { held, offers }: Rights): boolean =>
  offers(endpoint) && may(held, endpoint.needs) !== 'no'

/**
 * Nouns that the person may search: their list may be read, the API offers it, and one of them can be opened. The same
 * array as long as it holds the same nouns: a row that changed elsewhere is no reason to ask again.
 */
export function useSearchable(rights: Rights): readonly AnyEntity[] {
  const names = entities()
    .filter((entity) => commandById(openId(entity)) !== undefined && canRead(entity.list, rights))
    .map((entity) => entity.name)
    .join(' ')
  return useMemo(() => names.split(' ').filter(Boolean).map(entityByName), [names])
}

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
export function useSearch(text: string, among: readonly AnyEntity[], rights: Rights): Search {
  const answers = useAtomValue(foundAtom)
  const uses = useAtomValue(usesAtom)
  const used = useMemo(() => scores(uses, Date.now()), [uses])
  const typed = useMemo(() => readTyped(text, among, location.origin), [text, among])
  const byId = among.map((entity) => canRead(entity.get, rights)).join()
  const seeking = useMemo<Seeking>(() => {
    const silent = typed.text === '' || typed.mode === 'commands' || typed.mode === 'filters' || typed.mode === 'help'
    const mayRead = byId.split(',').map((word) => word === 'true')
    const readable = ({ entity }: { entity: AnyEntity }) => mayRead[among.indexOf(entity)]
    return {
      asked: silent ? '' : `${typed.mode} ${typed.only} ${typed.text}`,
      text: typed.text,
      lists: silent || typed.mode === 'ids' ? [] : among.filter((entity) => !typed.only || typed.only === entity.name),
      ids: silent ? [] : typed.ids.filter(readable),
    }
  }, [typed, among, byId])
  useLayoutEffect(() => seek(seeking), [seeking])
  useEffect(() => indexAgain(among), [among])
  useEffect(() => stopSeeking, [])
  const again = useCallback(() => {
    seek(seeking)
    seekNow()
  }, [seeking])
  return { typed, ...foundFor(answers, seeking), used, hurry: seekNow, again }
}
