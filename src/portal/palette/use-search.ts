import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { scores } from '#kernel/frecency.ts'
import type { Command } from '#kernel/command.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import { tier } from '#kernel/match.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { searchedBy } from '#portal/api/capabilities.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { searchKinds } from '#contract/search.ts'
import { may } from '#domain/permissions.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { factsOf } from '#portal/palette/facts.ts'
import { namedRecords, spanFrom } from '#portal/palette/filter-rows.ts'
import {
  byIdIn,
  commandsOn,
  isAmount,
  isInDollars,
  ofAnyList,
  type ParsedQuery,
  readTyped,
  sentencesIn,
  type Vocabulary,
} from '#kernel/sentence/reading.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { useWhile } from '#portal/palette/use-while.ts'
import type { SearchResults, SearchRequest } from '#portal/palette/ask.ts'
import { foundAtom, foundFor, seek, seekNow, stopSeeking } from '#portal/palette/search-results.ts'
import { findLocally, indexAgain } from '#portal/records/find-locally.ts'
import { maxRecords } from '#portal/palette/record-rows.ts'
import { commandById, commands, entities, entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { canReadOne } from '#portal/records/read-one.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { knownRecords } from '#portal/records/entity-store.ts'
import { usesAtom } from '#portal/commands/uses.ts'

type Rights = Pick<CommandContext, 'held' | 'supports'>
type SearchContext = Rights & Pick<CommandContext, 'pane'>

const canRead = (endpoint: AnyEndpoint, { held, supports }: Rights): boolean =>
  supports(endpoint) && may(held, endpoint.needs) !== 'no'

/** Order of groups that match equally well. */
const place = ({ list }: AnyEntity): number => searchKinds.findIndex((kind) => list.path === `/${kind}`)

/**
 * Nouns that the user may search: the list is readable, the API offers it, and a record can be opened. Keeps its identity while
 * the nouns are the same, so that other changes do not repeat the search.
 */
export function useSearchable({ held, supports }: Rights): readonly AnyEntity[] {
  const [all, nouns] = [commands(), entities()]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a record can be opened once its command is registered
  const names = useMemo(
    () =>
      nouns
        .filter((entity) => commandById(openCommand(entity)) && canRead(entity.list, { held, supports }))
        .sort((a, b) => place(a) - place(b))
        .map((entity) => entity.name)
        .join(' '),
    [all, nouns, held, supports],
  )
  return useMemo(() => names.split(' ').filter(Boolean).map(entityByName), [names])
}

/** Number of known ids from which the length of an id is taken. */
const idsLooked = 50

/**
 * False for a text shorter than the known ids of a noun: an unfinished id. If no id is known, the text search finds it as well;
 * Enter looks up any id.
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
  /** Sends the request at once. */
  hurry: () => void
  /** Repeats the request. */
  again: () => void
}

/**
 * Parses the text, including a command with a name if there are `commands`, and searches the API for it while the page is `live`.
 */
export function useSearch(
  text: string,
  among: readonly AnyEntity[],
  around: SearchContext,
  { live = true, commands }: { live?: boolean; commands?: readonly Command[] } = {},
): Search {
  const answers = useWhile(live, foundAtom, () => store.get(foundAtom))
  const uses = useWhile(live, usesAtom, () => store.get(usesAtom))
  const used = useMemo(() => scores(uses, Date.now()), [uses])
  const rights = useWhile(live, rightsChangesAtom, () => store.get(rightsChangesAtom))
  const query = around.pane ? text : ofAnyList(text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of rights repeats the search
  const read = useMemo(() => readTyped(query, among, location.origin), [query, among, rights])
  // The text whose first readings had no results, and their number.
  const [miss, setMiss] = useState<{ text: string; tries: number } | null>(null)
  const tries = miss?.text === text ? miss.tries : 0
  // Keeps its identity unless the parse changes: commands that load are no reason to search again.
  const vocabulary = useMemo(() => commands && vocabularyOf(commands, among, used), [commands, among, used])
  const readings = useMemo(() => vocabulary && parse(read, vocabulary), [read, vocabulary])
  const typed = readings?.(tries) ?? read
  const byId = among.map((entity) => may(around.held, entity.get.needs) !== 'no' && canReadOne(entity)).join()
  // Its list is open, or a typed command applies to it.
  const nouns = [around.pane?.entity, ...commandsOn(typed).map(({ on }) => on?.name)].join(' ')
  const named = namedRecords(typed, around)
  const of = named.map(({ entity }) => entity).join(' ')
  const words = named[0]?.words ?? ''
  const { mode, only, text: part, ids } = typed
  const asked = typed.asked ?? part
  const also = byIdIn(typed)
    .map(({ command }) => command.on?.name)
    .join(' ')
  const seeking = useMemo<SearchRequest>(() => {
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
  // During render, so that a waiting Enter continues to wait for the next reading.
  if (miss !== null && !tries) setMiss(null)
  else if (isNothing(answer, typed) && !among.some(isKnown) && readings?.(tries + 1)) setMiss({ text, tries: tries + 1 })
  return { typed, ...answer, used, hurry: seekNow, again }

  function isKnown(entity: AnyEntity): boolean {
    // Digits at the start of an amount match ids.
    if (!isAbout(typed, entity.name)) return false
    if ((typed.only && !typed.only.includes(entity.name)) || isAmount(typed.said)) return false
    // A match within a word is too weak here: the API, which has the rows as well, did not find it.
    return findLocally(entity, typed.text, used, maxRecords).some(({ tier: of }) => of < tier.substring)
  }
}

/** Whether a text that is a sentence is about a noun. */
function isAbout(typed: ParsedQuery, noun: string): boolean {
  const sentences = sentencesIn(typed)
  return !sentences.length || sentences.some(({ on }) => on?.name === noun)
}

/** What a text is read with: these commands and nouns, and what the API can search. */
export const vocabularyOf = (
  commands: readonly Command[],
  entities: readonly AnyEntity[],
  used: Vocabulary['used'],
): Vocabulary => ({
  ...{ commands, entities, used, find: commandFinder(commands), spanOf: spanFrom },
  ...{ isSearched: ({ list }) => searchedBy(list) !== null, facts: factsOf, origin: location.origin },
})

/**
 * True once the API has found nothing, and no record has that id.
 */
const isNothing = ({ found, waiting }: Pick<Search, 'found' | 'waiting'>, typed: ParsedQuery): boolean =>
  typed.mode === 'all' &&
  found.asked !== '' &&
  !waiting &&
  Object.entries(found.ids).every(([noun, { state }]) => state === 'miss' || typed.only?.includes(noun) === false) &&
  Object.entries(found.lists).every(
    ([noun, { state, rows }]) =>
      state === 'done' &&
      // For an amount in dollars, rows that match its digits do not count, nor for a sentence those of a noun that it is not about.
      (rows.length === 0 || isInDollars(typed.said) || !isAbout(typed, noun)),
  )
