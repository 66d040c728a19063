import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import { memo } from 'react'
import { choose, keysNow } from '#portal/keyboard/key-choice.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import { availability } from '#kernel/availability.ts'
import { buttonOf, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { type Focus, focusAtom, hereAtom, scopesOf, sideAtom } from '#portal/keyboard/focus.ts'
import { escapeFirstAtom, formKeysAtom, type KeyLine, keysIn, pageKeysAtom } from '#portal/keyboard/key-map.ts'
import { keyWorks, lettersAtom } from '#portal/keyboard/letters.ts'
import type { List } from '#portal/list/list.ts'
import { activeListAtom, tabListAtom, tabNameAtom } from '#portal/list/lists.ts'
import { onlineAtom } from '#portal/api/online.ts'
import { unconfirmedAtom } from '#portal/commands/outbox/calls.ts'
import { progressAtom } from '#portal/commands/progress.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { startCommand } from '#portal/commands/start.ts'
import { selectionAtom } from '#portal/list/target.ts'
import { store } from '#portal/platform/store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { later, useLater } from '#portal/ui/later.tsx'
import { useSettled } from '#portal/ui/use-settled.ts'

/** Whether a command can be run on the selection now: one of several rows is enough. */
function usable(command: Command, context: CommandContext): boolean {
  const rows = [...(context.selection?.rows.values() ?? [])]
  return (rows.length ? rows : [undefined]).some((row) => ['ready', 'ask'].includes(availability(command, context, row).state))
}

/** The keys of the row's own commands that the user can run now, one command per key. */
export function rowKeys(all: readonly Command[], context: CommandContext, letters: boolean, focus: Focus): KeyLine[] {
  if (!scopesOf(focus).includes('row')) return []
  const bound = keysNow(all, ['row'], context.selection?.entity, { letters, text: false, tab: store.get(tabNameAtom) }).filter(
    (key) => usable(key.command, context),
  )
  return [...new Set(bound.map((key) => key.chord))].flatMap((chord) => {
    const command = choose(
      bound.filter((key) => key.chord === chord).map((key) => key.command),
      context,
    )
    const [row] = context.selection?.rows.values() ?? []
    return command ? [{ chords: [chord], says: buttonOf(command, context, row).toLowerCase() }] : []
  })
}

/** 'row 5 of 9,880', or '9,880 rows' without an active row; the count only once it is known. */
function where(row: number | null, rows: number | null, exact: boolean): string {
  const all = rows ? `${exact ? '' : 'about '}${wholeNumber(rows)}` : ''
  if (row === null) return all && `${all} row${rows === 1 ? '' : 's'}`
  return `row ${wholeNumber(row)}${all && ` of ${all}`}`
}

function Line({ line }: { line: KeyLine }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {line.chords.map((chord) => (
        <Kbd key={chord} chord={chord} hidden={false} />
      ))}
      {line.says}
    </span>
  )
}

/** An unanswered command is shown until it has an answer; a lost network is shown first. */
function Trouble() {
  const online = useAtomValue(onlineAtom)
  const unconfirmed = useAtomValue(unconfirmedAtom)
  if (online && !unconfirmed.length) return null
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-[550] text-ink" role="status">
      <Icon name={online ? 'time' : 'offline'} size={14} className="text-bad" />
      {!online && <span>No connection.</span>}
      {unconfirmed.length > 0 && (
        <span className="truncate">Not confirmed yet: {unconfirmed.map((one) => one.title).join('; ')}</span>
      )}
    </span>
  )
}

/** Whether the active list is empty. */
const emptyAtom = atom((get) => {
  const list = get(activeListAtom)
  return list !== null && get(list.whereAtom)?.count === 0
})

const Lines = memo(function Lines({ context }: { context: CommandContext }) {
  const focus = useAtomValue(focusAtom)
  const letters = useAtomValue(lettersAtom)
  useAtomValue(registeredAtom)
  const [ofPage, ofForm] = [useAtomValue(pageKeysAtom), useAtomValue(formKeysAtom)]
  const first = useAtomValue(escapeFirstAtom).at(-1)
  const here = useAtomValue(hereAtom)
  const listed = useAtomValue(tabListAtom) !== null
  const beside = useAtomValue(sideAtom) === 'beside' && focus === 'detail'
  const inside = beside
    ? 'beside'
    : (focus === 'grid' && here === 'tab') || (focus === 'text' && here === 'drawer')
      ? here
      : focus
  const empty = useAtomValue(emptyAtom)
  const [head, ...rest] = (focus === 'dialog' ? ofForm : ofPage) ?? keysIn(inside, listed, context.selection !== null, empty)
  const ofRow = rowKeys(commands(), context, letters, focus)
  // The toolbar of a record shows its keys itself, so the others come first.
  const lines = [...(head ? [head] : []), ...(focus === 'detail' ? [...rest, ...ofRow] : [...ofRow, ...rest])]
  return lines
    .map((line) => ({ ...line, chords: line.chords.filter((chord) => keyWorks(chord, letters)) }))
    .filter(({ chords }) => chords.length > 0)
    .map((line) => <Line key={line.says} line={first && line.chords.includes('Escape') ? { ...line, says: first } : line} />)
})

/** The next useful keys. Debounced: a key held down in the list passes many rows. */
function Keys() {
  const context = useSettled(useAtomValue(commandContextAtom), 100)
  return <Lines context={context} />
}

function Selected({ list }: { list: List | null }) {
  const selection = useAtomValue(selectionAtom)
  if (selection?.how !== 'marked') return null
  return (
    <>
      <b className="font-[550] text-ink">{selection.count === null ? 'All that match' : wholeNumber(selection.count)} selected</b>
      {list && <Hidden list={list} />}
    </>
  )
}

const hiddenMarks = later(async () => (await import('#portal/shell/selected-more.tsx')).HiddenMarks)
const selectedSums = later(async () => (await import('#portal/shell/selected-more.tsx')).SelectedSums)

function Hidden({ list }: { list: List }) {
  const { Component } = useLater(hiddenMarks)
  return Component ? <Component list={list} /> : null
}

function Where({ list }: { list: List }) {
  const info = useAtomValue(list.whereAtom)
  return info && <span className="tabular-nums">{where(info.row, info.count, info.exact)}</span>
}

/** Progress of a bulk run, shown everywhere; a click opens it. */
function Progress() {
  const progress = useAtomValue(progressAtom)
  if (!progress) return null
  return (
    <button
      type="button"
      className="btn btn-quiet tabular-nums"
      aria-haspopup="dialog"
      onClick={() => startCommand('session.run', { params: { run: progress.run }, stays: true })}
    >
      <Icon name={progress.icon} size={14} />
      {progress.text}
    </button>
  )
}

const unreadNotices = later(async () => (await import('#portal/shell/notices/unread-notices.tsx')).UnreadNotices)

/** The number of unread notices. */
function Unread() {
  const { Component } = useLater(unreadNotices)
  return Component ? <Component /> : null
}

/** The totals of all matching rows, or the sums of the selected ones. */
function Totals({ list }: { list: List }) {
  const isMarked = useAtomValue(list.markedAtom) !== null
  const { Component: Sums } = useLater(selectedSums, isMarked)
  if (!isMarked) return <ListTotals list={list} />
  // Until they have loaded, and if that fails, the bar has the count only.
  return Sums ? <Sums list={list} /> : null
}

function ListTotals({ list }: { list: List }) {
  return useAtomValue(list.tally.totalsAtom).map(({ title, cents }) => (
    <span key={title} className="bar-total">
      {title} <b>{formatCents(cents)}</b>
    </span>
  ))
}

/** The selection, the next useful keys, and the row number in the list; with `more`, what loads after the first list. */
export const StatusBar = memo(function StatusBar({ more }: { more: boolean }) {
  const list = useAtomValue(activeListAtom)
  return (
    <footer className="frame-bar">
      <Trouble />
      <Progress />
      {more && <Unread />}
      <Selected list={list} />
      <div className="bar-keys">
        <Keys />
      </div>
      {list && <Totals list={list} />}
      {list && <Where list={list} />}
    </footer>
  )
})
