import type { Destination } from '#portal/palette/palette-keys.ts'
import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { copyRow, markFavourite, upsertRow } from '#portal/palette/act-on-row.ts'
import { Chip } from '#portal/palette/chip.tsx'
import { compose } from '#portal/palette/compose.ts'
import { KeyHint } from '#portal/palette/foot.tsx'
import type { Group, Results, Row } from '#portal/palette/row.ts'
import { useFirstRows } from '#portal/palette/first-rows.ts'
import { SearchPage } from '#portal/palette/search-page.tsx'
import { isExact, maxRecords, retryRow, recordRow } from '#portal/palette/record-rows.ts'
import { capitalize } from '#domain/text.ts'
import { useSearch } from '#portal/palette/use-search.ts'
import { findLocally, localOf, openedLately } from '#portal/records/find-locally.ts'
import { popPage } from '#portal/commands/palette-state.ts'
import { usePalette } from '#portal/commands/use-palette.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { startCommand } from '#portal/commands/start.ts'
import { oneTarget } from '#portal/list/target.ts'
import { knownRecords, record } from '#portal/records/entity-store.ts'
import { announce } from '#portal/platform/toasts.ts'

const noCommands = () => []

interface Props {
  command: Command & { on: AnyEntity }
  params: Record<string, unknown> | undefined
}

/** Asks for the target of a command: 'Pause employee: which employee?' */
export function TargetPage({ command, params }: Props) {
  const { typed: text } = usePalette()
  const context = useAtomValue(commandContextAtom)
  const among = useMemo(() => [command.on], [command])
  const { typed, found, waiting, used, hurry, again } = useSearch(text, among, context)
  const { selection } = context
  const several = useMemo(() => oneOfSelected(command.on, selection), [command, selection])
  const isOpen = context.pane?.entity === command.on.name
  const { rows: offered, loading, problem, again: offerAgain } = useFirstRows(command, context, !several && !isOpen)
  const first = useMemo(
    () => several ?? firstRecords(command.on, isOpen ? knownRecords(command.on.name) : offered, problem),
    [command, several, isOpen, offered, problem],
  )
  const results = useMemo(() => {
    const base = typed.text
      ? compose({
          // Only records are searched here, whatever the first character is.
          typed: { ...typed, mode: 'all' },
          context,
          commands: [],
          findCommands: noCommands,
          entities: among,
          findRecords: findLocally,
          found,
          waiting,
          used,
          recent: [],
        })
      : loading
        ? { ...withRows([]), sure: false, empty: 'Loading' }
        : withRows([first])
    return elsewhere(validated(base, command, context), command.on)
  }, [typed, command, context, among, found, waiting, used, first, loading])
  const run = (row: Row, to: Destination) => {
    if (row.kind === 'retry') return typed.text ? again() : offerAgain()
    if (row.kind !== 'record' && row.kind !== 'ask') return
    if (!row.usable) return announce(row.note ?? '', true)
    if (row.kind === 'record') upsertRow(row, offered)
    const exact = row.kind === 'ask' || isExact(row, typed)
    startCommand(command.id, {
      ...{ targets: oneTarget(row.entity.name, row.id), newTab: to !== 'here' },
      ...(params ? { params } : {}),
      ...(exact ? {} : { confirm: { about: row.title } }),
    })
  }
  return (
    <SearchPage
      label={`${command.title}: which ${command.on.one}?`}
      placeholder={`Which ${command.on.one}? Type a name or an id`}
      typed={text}
      searched={typed.text}
      results={results}
      waiting={waiting || (loading && !typed.text)}
      lead={<Chip>{command.title}</Chip>}
      foot={(row) => (
        <>
          {row && <KeyHint chord="Enter">choose</KeyHint>}
          <KeyHint chord="⌫">back</KeyHint>
          <KeyHint chord="Mod+C">copy link</KeyHint>
        </>
      )}
      onRun={run}
      onTab={(row) => run(row, 'here')}
      onCopy={(row) => void copyRow(row)}
      onFavourite={markFavourite}
      onBack={popPage}
      onHurry={hurry}
    />
  )
}

/** Recently opened records, then other available ones, or why those did not load. */
function firstRecords(entity: AnyEntity, others: Iterable<unknown>, problem: string | null): Group {
  const rows = new Map(openedLately([entity]).map(({ local }) => [local.id, recordRow(entity, local, null)]))
  for (const known of others) {
    if (rows.size >= maxRecords) break
    const local = localOf(entity, known)
    if (!rows.has(local.id)) rows.set(local.id, recordRow(entity, local, null))
  }
  const failed = problem ? [retryRow(entity, problem)] : []
  return {
    key: entity.name,
    title: capitalize(entity.many),
    note: null,
    rows: [...[...rows.values()].slice(0, maxRecords), ...failed],
  }
}

/** The records of a multi-selection: the heading says why one of them has to be chosen, and only they are listed at first. */
function oneOfSelected(entity: AnyEntity, selection: CommandContext['selection']): Group | null {
  if (selection?.entity !== entity.name || selection.filter || selection.ids.length < 2) return null
  const known = selection.ids.map((id) => record(entity.name, id)).filter((each) => each !== undefined)
  const title = `One ${entity.one} at a time: choose one of the ${selection.ids.length} selected`
  const rows = known.slice(0, maxRecords).map((each) => recordRow(entity, localOf(entity, each), null))
  return rows.length ? { key: entity.name, title, note: null, rows } : null
}

const isGuess = (row: Row): boolean => row.kind === 'record' && row.similar === true

const withRows = (groups: readonly Group[]): Results => {
  const rows = groups.flatMap((group) => group.rows)
  return {
    groups: groups.filter((group) => group.rows.length > 0),
    rows,
    // The first row stays active even if the command is unavailable for it, since the next one is another record. A guess is
    // never active.
    preselected: rows[0] && rows[0].kind !== 'retry' && !isGuess(rows[0]) ? 0 : -1,
    sure: true,
    empty: rows.length ? null : 'Type a name or an id.',
  }
}

/**
 * The records with the reason why the command is unavailable for each; among equal matches available ones come first, then those
 * not loaded.
 */
function validated(results: Results, command: Command, context: CommandContext): Results {
  const late = (row: Row) => (row.usable ? (row.kind === 'record' && row.record === undefined ? 1 : 0) : 2)
  const groups = results.groups.map((group) => {
    const rows = group.rows.map((row) => validate(row, command, context))
    return { ...group, rows: rows.sort((a, b) => a.tier - b.tier || late(a) - late(b)) }
  })
  return { ...withRows(groups), sure: results.sure, empty: results.empty }
}

/** If there are no rows, and the noun cannot be searched, says where to find it. */
const elsewhere = (results: Results, { many, foundIn }: AnyEntity): Results =>
  foundIn && results.sure && results.empty !== null
    ? { ...results, empty: `${capitalize(many)} are found in ${foundIn}.` }
    : results

function validate(row: Row, command: Command, context: CommandContext): Row {
  if (row.kind !== 'record' || row.record === undefined) return row
  const state = availability(command, context, row.record)
  return 'sentence' in state ? { ...row, usable: false, preselects: false, note: `${row.note} · ${state.sentence}` } : row
}
