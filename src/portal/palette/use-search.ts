import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { scores } from '#kernel/frecency.ts'
import type { Command } from '#kernel/command.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import { tier } from '#kernel/match.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { searchKinds } from '#contract/search.ts'
import { may } from '#domain/permissions.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { namedRecords } from '#portal/palette/filter-rows.ts'
import { withOwnWords } from '#portal/palette/own-words.ts'
import { isAmount, ofAnyList, readTyped, type ParsedQuery } from '#portal/palette/parsed-query.ts'
import { readCommand } from '#portal/palette/typed-command.ts'
import { useWhile } from '#portal/palette/use-while.ts'
import type { SearchResults, Seeking } from '#portal/palette/ask.ts'
import { foundAtom, foundFor, seek, seekNow, stopSeeking } from '#portal/palette/search-results.ts'
import { findLocally, indexAgain } from '#portal/palette/found-locally.ts'
import { maxRecords } from '#portal/palette/record-rows.ts'
import { entities, entityByName, knownCommands } from '#portal/app/registry.ts'
import { store } from '#portal/app/store.ts'
import { canReadOne } from '#portal/records/read-one.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { knownRecords } from '#portal/records/entity-store.ts'
import { usesAtom } from '#portal/commands/uses.ts'

type Rights = Pick<CommandContext, 'held' | 'supports'>
type Around = Rights & Pick<CommandContext, 'pane'>

const canRead = (endpoint: AnyEndpoint, { held, supports }: Rights): boolean =>
  supports(endpoint) && may(held, endpoint.needs) !== 'no'

/** Of groups that match equally well, this is the order. */
const place = ({ list }: AnyEntity): number => searchKinds.findIndex((kind) => list.path === `/${kind}`)

/**
 * Nouns that the person may search: their list may be read, the API offers it, and one of them can be opened. The same
 * array as long as it holds the same nouns: a row that changed elsewhere is no reason to ask again.
 */
export function useSearchable(rights: Rights): readonly AnyEntity[] {
  const commands = knownCommands()
  const names = entities()
    .filter((entity) => commands.some(({ id }) => id === openCommand(entity)) && canRead(entity.list, rights))
    .sort((a, b) => place(a) - place(b))
    .map((entity) => entity.name)
    .join(' ')
  return useMemo(() => names.split(' ').filter(Boolean).map(entityByName), [names])
}

/** Number of known ids from which the length of an id is taken. */
const idsLooked = 50

/**
 * False for what is shorter than the ids that are known of a noun: an id on its way. Where none is known the search by
 * text finds it as well; Enter asks for any id.
 */
function mayBeWhole(entity: AnyEntity, id: string): boolean {
  let looked = 0
  for (const known of knownRecords(entity.name)) {
    if (entity.id(known).length <= id.length) return true
    if (++looked === idsLooked) break
  }
  return false
}

/** The nouns whose lists are searched for a text; nouns that are slow to search only if named, or if there is only one. */
export const searchedFor = (
  { only }: Pick<ParsedQuery, 'only'>,
  among: readonly AnyEntity[],
  nouns: readonly (string | undefined)[],
): readonly AnyEntity[] =>
  among.filter(({ name, slowToSearch }) =>
    only ? only.includes(name) : !slowToSearch || among.length === 1 || nouns.includes(name),
  )

interface Search {
  typed: ParsedQuery
  found: SearchResults
  waiting: boolean
  used: (key: string) => number
  /** Asks at once. */
  hurry: () => void
  /** Asks once more. */
  again: () => void
}

/** Reads what is typed, a command before a thing, too, where there are `commands`, and asks the API for it while the page is `live`. */
export function useSearch(
  text: string,
  among: readonly AnyEntity[],
  around: Around,
  { live = true, commands }: { live?: boolean; commands?: readonly Command[] } = {},
): Search {
  const answers = useWhile(live, foundAtom, () => store.get(foundAtom))
  const uses = useWhile(live, usesAtom, () => store.get(usesAtom))
  const used = useMemo(() => scores(uses, Date.now()), [uses])
  const rights = useWhile(live, rightsChangesAtom, () => store.get(rightsChangesAtom))
  const said = around.pane ? text : ofAnyList(text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found with other rights is asked again
  const read = useMemo(() => readTyped(said, among, location.origin), [said, among, rights])
  // The text by which nothing was found as it was read first.
  const [miss, setMiss] = useState<string | null>(null)
  const missed = miss === text
  // The same as it was read, but for what is taken apart: commands that arrive are no reason to ask again.
  const typed = useMemo(
    () => (commands ? readCommand(read, { commands, find: commandFinder(commands), used, missed }, among) : read),
    [read, among, commands, used, missed],
  )
  const byId = among.map((entity) => may(around.held, entity.get.needs) !== 'no' && canReadOne(entity)).join()
  // Its list is open, or a command that was typed is done to it.
  const nouns = [around.pane?.entity, ...(typed.does ?? []).map(({ command }) => command.on?.name)].join(' ')
  const named = namedRecords(typed, around)
  const of = named.map(({ entity }) => entity).join(' ')
  const words = named[0]?.words ?? ''
  const { mode, only, text: part, ids } = typed
  const asked = typed.asked ?? part
  const also = (typed.also ?? []).map(({ command }) => command.on?.name).join(' ')
  const seeking = useMemo<Seeking>(() => {
    const filteredBy = among.filter(({ name }) => of.split(' ').includes(name))
    if (filteredBy.length) return { asked: `/ ${of} ${words}`, text: words, lists: filteredBy, ids: [] }
    const silent = part === '' || mode === 'commands' || mode === 'filters' || mode === 'help'
    const mayRead = byId.split(',').map((word) => word === 'true')
    const surely = mode === 'ids'
    const worthAsking = ({ entity, id }: { entity: AnyEntity; id: string }) =>
      mayRead[among.indexOf(entity)] &&
      (only ? only.includes(entity.name) || also.split(' ').includes(entity.name) : surely || mayBeWhole(entity, id))
    return {
      asked: silent ? '' : `${mode} ${only} ${also} ${part}`,
      text: asked,
      lists: silent || mode === 'ids' ? [] : searchedFor({ only }, among, nouns.split(' ')),
      ids: silent ? [] : ids.filter(worthAsking),
    }
  }, [mode, only, part, asked, ids, among, byId, nouns, also, of, words])
  useLayoutEffect(() => {
    if (live) seek(seeking)
  }, [seeking, live])
  useEffect(() => (live ? indexAgain(among) : undefined), [among, live])
  useEffect(() => (live ? stopSeeking : undefined), [live])
  const again = useCallback(() => {
    seek(seeking)
    seekNow()
  }, [seeking])
  const answer = foundFor(answers, seeking)
  // Before anything is drawn: an Enter that waits for what is found goes on waiting for what is read now.
  if (miss !== null && !missed) setMiss(null)
  else if (!missed && isNothing(answer, typed) && !among.some(isKnown) && isReadOtherwise()) setMiss(text)
  return { typed, ...answer, used, hurry: seekNow, again }

  function isReadOtherwise(): boolean {
    if (!commands) return false
    const other = readCommand(read, { commands, find: commandFinder(commands), used, missed: true }, among)
    return other.text !== typed.text || String(other.only) !== String(typed.only) || other.shows !== undefined
  }

  function isKnown(entity: AnyEntity): boolean {
    // What begins with the digits of an amount is an id.
    if ((typed.only && !typed.only.includes(entity.name)) || isAmount(typed.whole ?? typed.text)) return false
    // A match within a word is too weak here: the API, which has the rows as well, did not find it.
    return findLocally(entity, typed.text, used, maxRecords).some(({ tier: of }) => of < tier.substring)
  }
}

/** True once the API has nothing by several words, letters before digits, an amount or what has another name here, and nobody with that id. */
const isNothing = ({ found, waiting }: Pick<Search, 'found' | 'waiting'>, { mode, whole, text, only }: ParsedQuery): boolean =>
  mode === 'all' &&
  (/\s|[a-z]\d|\d[/-]\d/i.test(whole ?? text) || isAmount(whole ?? text) || withOwnWords(text) !== null) &&
  found.asked !== '' &&
  !waiting &&
  Object.entries(found.ids).every(([noun, { state }]) => state === 'miss' || (only && !only.includes(noun))) &&
  // Of a whole amount no row has the digits alone.
  Object.values(found.lists).every(
    ({ state, rows }) => state === 'done' && (rows.length === 0 || /^\$[\d,]+$/.test(whole ?? text)),
  )
