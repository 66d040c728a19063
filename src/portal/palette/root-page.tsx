import { atom, useAtomValue } from 'jotai'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { checkTargets } from '#contract/runs.ts'
import { nameOf } from '#kernel/entity.ts'
import type { Selection, CommandContext } from '#kernel/command-context.ts'
import { copyRow, markFavourite, runRow, tabRow } from '#portal/palette/act-on-row.ts'
import { Chip } from '#portal/palette/chip.tsx'
import { commandFinder, takesMore } from '#portal/palette/command-rows.ts'
import { type Composing, compose } from '#portal/palette/compose.ts'
import { KeyHint } from '#portal/palette/foot.tsx'
import type { Results } from '#portal/palette/row.ts'
import { SearchPage } from '#portal/palette/search-page.tsx'
import { recordRow } from '#portal/palette/record-rows.ts'
import { fetchSentences, sentenceParts, sentencesAtom } from '#portal/palette/sentences.ts'
import { loadStart, type Opening, openingNow, startAtom } from '#portal/palette/start.ts'
import { useChecks, withChecks } from '#portal/palette/use-checks.ts'
import { useRehearsal } from '#portal/palette/use-rehearsal.ts'
import { useSearch, useSearchable } from '#portal/palette/use-search.ts'
import { useWhile } from '#portal/palette/use-while.ts'
import { findLocally, openedLately } from '#portal/records/find-locally.ts'
import { dropChip, type PaletteState, pushPage } from '#portal/commands/palette-state.ts'
import { holdsIds } from '#kernel/sentence/reading.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { recentAtom } from '#portal/records/recent.ts'
import { entityByName, commands } from '#portal/platform/registry.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { store } from '#portal/platform/store.ts'
import { comingAtom, selectionAtom, selectionOf } from '#portal/list/target.ts'
import { wholeNumber } from '#domain/text.ts'

/** The main list: commands for the chip, all commands, and records of every noun. `live` while it is open. */
export const RootPage = memo(function RootPage({ state, live }: { state: PaletteState; live: boolean }) {
  const { target } = state
  const page = state.pages.at(-1)
  const actions = page?.kind === 'root' && page.actions === true
  const base = useWhile(live, commandContextAtom, () => store.get(commandContextAtom))
  const opened = useWhile(live, recentAtom, () => store.get(recentAtom))
  const about = useMemo(() => (target === undefined ? selectionAtom : atom((get) => selectionOf(get, target))), [target])
  const selection = useWhile(live, about, () => store.get(about))
  const context = useMemo<CommandContext>(() => ({ ...base, selection }), [base, selection])
  const among = useSearchable(context)
  const text = useRehearsal(live, among) ?? state.typed
  const all = commands()
  const findCommands = commandFinder(all)
  const done = useWhile(live, historyAtom, () => store.get(historyAtom))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `openedLately` reads the atom that changed
  const recent = useMemo(() => openedLately(among).map(({ entity, local }) => recordRow(entity, local, null)), [among, opened])
  const { typed, found, waiting, used, hurry, again } = useSearch(text, among, context, { live, commands: all })
  const checks = useChecks(live, all, context)
  const read = useWhile(live, sentencesAtom, () => store.get(sentencesAtom))
  useEffect(() => {
    if (!live) return
    void fetchSentences()
    return () => sentenceParts()?.forgetNamed()
  }, [live])
  const start = useStart(live)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sentence is read again once its names are found
  const composed = useMemo(
    () =>
      compose({
        typed,
        context,
        commands: all,
        findCommands,
        entities: among,
        findRecords: findLocally,
        found,
        waiting,
        used,
        recent,
        done,
        actions,
        start,
      }),
    [typed, context, all, findCommands, among, found, waiting, used, recent, done, actions, start, read],
  )
  useEffect(() => {
    if (live) sentenceParts()?.searchNamed()
  })
  const results = useMemo(() => withChecks(composed, checks), [composed, checks])
  // The target of Enter may still be loading.
  const coming = useWhile(live, comingAtom, () => store.get(comingAtom)) && target === undefined
  const reading = useReading(live, selection) || (start === undefined && !actions && text === '')
  const chip = context.selection
  return (
    <SearchPage
      live={live}
      label="Command palette"
      placeholder="Type a command, a name or an id"
      typed={text}
      searched={typed.text}
      results={coming || reading ? whileLoading(results, { text, coming, actions }) : results}
      coming={(coming || reading) && text === ''}
      about={(coming || reading) && text === '' ? 'coming' : target ? `${target.entity} ${target.ids[0]}` : String(target)}
      waiting={waiting}
      lead={chip && <Chip>{chipText(chip)}</Chip>}
      foot={(row) => (
        <Hints
          enter={row ? enterWords[row.kind] : results.rows.length ? 'choose' : null}
          tab={
            row?.kind === 'record'
              ? 'actions on it'
              : row && row.kind === 'command' && row.usable && takesMore(row, context)
                ? 'next argument'
                : null
          }
          drops={chip && entityByName(chip.entity)[chip.ids.length === 1 && !chip.filter ? 'one' : 'many']}
        />
      )}
      onRun={(row, to) => runRow(row, to, again)}
      onTab={tabRow}
      onComplete={(rows, active, by) => sentenceParts()?.completeBy(by, { rows, active, typed: text, context }) ?? false}
      onCopy={(row) => void copyRow(row)}
      onFavourite={markFavourite}
      onBack={() => chip && dropChip()}
      onHurry={hurry}
      onPaste={takePasted}
    />
  )
})

/** Builds the empty palette by what was known when it opened; undefined while that part is loading. */
function useStart(live: boolean): Composing['start'] {
  const part = useAtomValue(startAtom)
  const opening = useRef<Opening>(null)
  const wasLive = useRef<boolean>(null)
  if (wasLive.current !== live) opening.current = openingNow(opening.current)
  wasLive.current = live
  const isLoaded = part !== null && part !== 'missing'
  useEffect(() => {
    if (live && !isLoaded) void loadStart(commands())
  }, [live, isLoaded])
  const now = opening.current
  return useMemo(() => {
    if (part === null || now === null) return undefined
    return part === 'missing' ? () => [] : (input: Composing) => part.groups(input, now)
  }, [part, now])
}

/** Milliseconds that the commands of a record wait for it to load: the same as queued keys. */
const maxReadTime = 2_000

/** True while the open record is loading, up to that time: its available commands are unknown until then. */
function useReading(live: boolean, selection: Selection | null): boolean {
  const [id = ''] = selection?.ids ?? []
  const reading = live && selection?.how === 'active' && !selection.rows.has(id) && store.get(placeAtom)?.id === id
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!reading) return
    const timer = setTimeout(() => setLate(true), maxReadTime)
    return () => clearTimeout(timer)
  }, [reading])
  return reading && !late
}

/**
 * The list while its target is loading: no row is active until something is typed, and Enter waits, unless it would act on
 * another record.
 */
function whileLoading(results: Results, { text, coming, actions }: { text: string; coming: boolean; actions: boolean }): Results {
  const best = results.rows[results.preselected]
  const about = coming || text === '' || (best?.kind === 'command' && best.targets !== null)
  return {
    ...(coming && actions && text === '' ? { groups: [], rows: [], empty: 'Loading' } : results),
    preselected: text === '' ? -1 : results.preselected,
    sure: results.sure && !about,
  }
}

/** Several ids are not a search: they are parsed on their own page. */
function takePasted(text: string): boolean {
  if (!holdsIds(text) || !store.get(capabilitiesAtom)(checkTargets)) return false
  pushPage({ kind: 'pasted', text })
  return true
}

/** 'Benjamin Ortiz · 104234', '3 employees', 'all 9,880 employees'. */
function chipText({ entity: name, ids, rows, filter, count }: Selection): string {
  const entity = entityByName(name)
  if (filter) return `all ${count === null ? '' : `${wholeNumber(count)} `}${entity.many}`
  const [id = ''] = ids
  if (ids.length > 1) return `${wholeNumber(ids.length)} ${entity.many}`
  const row = rows.get(id)
  return row === undefined ? `${entity.one} ${id}` : nameOf(entity, row)
}

/** What Enter does with a row. */
const enterWords = { command: 'run', record: 'open', ask: 'open', place: 'open', text: 'type it', retry: 'try again' }

const Hints = memo(function Hints({ enter, tab, drops }: { enter: string | null; tab: string | null; drops: string | null }) {
  return (
    <>
      {enter && <KeyHint chord={enter === 'choose' ? 'ArrowDown' : 'Enter'}>{enter}</KeyHint>}
      {tab && <KeyHint chord="Tab">{tab}</KeyHint>}
      {drops && <KeyHint chord="⌫">clear target</KeyHint>}
      <KeyHint chord="Mod+C">copy link</KeyHint>
      <KeyHint chord="?" last>
        keys
      </KeyHint>
    </>
  )
})
