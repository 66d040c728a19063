import { pluralize } from '#kernel/pluralize.ts'
import { atom } from 'jotai/vanilla'
import { countReasons } from '#domain/reasons.ts'
import { runOutOfReach } from '#domain/undo.ts'
import type { RowResult } from '#kernel/bulk.ts'
import type { Command } from '#kernel/command.ts'
import { endInHistory, historyAtom, patchHistory } from '#portal/commands/history.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { placeAtom } from '#portal/app/location.ts'
import { paletteAtom, pushPage } from '#portal/palette/state.ts'
import { progressAtom } from '#portal/commands/progress.ts'
import { commandArrives } from '#portal/app/bundle.ts'
import { entityByName } from '#portal/app/registry.ts'
import { undoIfOffered } from '#portal/commands/run.ts'
import { readRecord } from '#portal/commands/run-targets.ts'
import { store } from '#portal/app/store.ts'
import { showToast, announce } from '#portal/app/toasts.ts'
import { wholeNumber } from '#domain/text.ts'

/** One command over many things: carried out by this page, or by the server, which goes on when the page is closed. */
export interface RunView {
  id: string
  command: Command
  where: 'here' | 'server'
  state: 'running' | 'done' | 'stopped'
  total: number
  waiting: number
  done: number
  blocked: number
  failed: number
  stopped: number
  /** Here: every row; by the server: those that did not work, at most 200. */
  rows: readonly RowResult[]
  /** The history entry that undoes what was done, where that is possible. */
  entry: string | null
  /** Until when the server undoes it in one go; null where it does not. */
  undoUntil: number | null
  /** Of how many that were done the undo would be refused. */
  kept: number
  /** What was done of it came to, in words. */
  says?: string
  /** Of a run by this page: the ids of the rows that were undone since. */
  undone?: readonly string[]
  /** By the server: none of its rows is open to the person any more, so that they neither undo it nor try it again. */
  beyond?: boolean
  /** True for a run that undoes another one. */
  undoes: boolean
  /** What happened to the run itself: 'Could not be stopped'. */
  note: string | null
  /** Whether its end was on screen. */
  seen: boolean
}

/** The runs of this page by id; kept until the page is left. */
export const runsAtom = atom<ReadonlyMap<string, RunView>>(new Map())

/** A run that is known here. */
export const view = (id: string): RunView => store.get(runsAtom).get(id) as RunView

/** Puts a run in, on top of what is known of it. */
export function putRun(run: RunView): void {
  store.set(runsAtom, (now) => new Map(now).set(run.id, run))
  publish()
}

/** Changes what is known of a run. */
export const change = (id: string, to: Partial<RunView>): void => putRun({ ...view(id), ...to })

/** 'Pause employee', 'Undo pause employee'. */
export const titleOf = ({ command, undoes }: RunView): string => (undoes ? `Undo ${command.title.toLowerCase()}` : command.title)

/** What a command does, without its noun: 'Pause', 'Cancel password change'. */
const verbOf = ({ title, on }: Command): string => (on ? title.replace(new RegExp(` (of )?${on.one}`), '') : title)

/** 'Pause undone for 2 employees', 'Pause undone for 21 of 23 employees'. */
export const undoneSentence = (command: Command, count: number, of = count): string =>
  `${verbOf(command)} undone for ${of === count ? '' : `${wholeNumber(count)} of `}${pluralize(of, command.on)}`

/** 'Pause undone for Benjamin Ortiz'; without the thing where there is none. */
export const undoneFor = (command: Command, title: string | undefined): string =>
  title === undefined ? `${command.title} undone` : `${verbOf(command)} undone for ${title}`

/** 'Can be undone for 57 of 60, for 10 minutes.' */
export const undoableFor = (some: number, of: number): string =>
  `Can be undone for ${wholeNumber(some)} of ${wholeNumber(of)}, for 10 minutes.`

/** 'Pause employee: 12 of 30 done'. */
export const doneOf = ({ title }: Command, done: number, of: number): string =>
  `${title}: ${wholeNumber(done)} of ${wholeNumber(of)} done`

/** 'Pause employee: 12 done, 3 failed, 2 refused'. */
function summaryOf(run: RunView): string {
  const done = run.undoes ? undoneSentence(run.command, run.done) : `${run.command.title}: ${wholeNumber(run.done)} done`
  const parts = [
    done,
    run.failed ? `${wholeNumber(run.failed)} failed` : '',
    run.blocked ? `${wholeNumber(run.blocked)} refused` : '',
    run.stopped ? `${wholeNumber(run.stopped)} not begun` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Whether the page of a run is on screen. */
export const watched = (id: string): boolean => {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return open && top?.kind === 'run' && top.run === id
}

/** Shows a run, wherever the person is. */
export function showRun(run: string): true {
  if (!watched(run)) pushPage({ kind: 'run', run })
  return true
}

/** Shows the run that was started last; false where there is none. */
export function showLastRun(): boolean {
  const last = [...store.get(runsAtom).keys()].at(-1)
  if (last) showRun(last)
  return last !== undefined
}

/** Tells the status bar: the run that goes on, else the last one that ended unseen. */
function publish(): void {
  const runs = [...store.get(runsAtom).values()]
  const run = runs.findLast((each) => each.state === 'running') ?? runs.findLast((each) => !each.seen)
  const ended = run ? run.total - run.waiting : 0
  store.set(
    progressAtom,
    run
      ? {
          icon: run.state === 'running' ? 'time' : run.failed + run.blocked > 0 ? 'alert' : 'check',
          text: run.state === 'running' ? `${titleOf(run)}: ${wholeNumber(ended)} of ${wholeNumber(run.total)}` : summaryOf(run),
          running: run.state === 'running',
          run: run.id,
          here: runs.some(({ state, where }) => state === 'running' && where === 'here'),
        }
      : null,
  )
}

/** Its end is on screen: the status bar need not tell it any longer. */
export const markSeen = (id: string): void => {
  const run = store.get(runsAtom).get(id)
  if (run && run.state !== 'running' && !run.seen) change(id, { seen: true })
}

/** Refetches the rows on screen that a run changed; at its end, everything that is loaded. */
export function refreshRows({ command, state }: RunView): void {
  const entity = command.on?.name
  const open = store.get(placeAtom)
  if (!entity || open?.entity !== entity) return
  refreshLists(state !== 'running')
  if (open.id !== null) void readRecord(entityByName(entity), open.id).catch(() => {})
}

/** Milliseconds for which the status bar tells how a run ended: the history of the session keeps it. */
const shownFor = 30_000

/** Why rows were refused or failed, each reason with how often, for a message. */
const reasonsOf = ({ rows }: RunView): string | null =>
  countReasons(rows.flatMap(({ state, sentence }) => (state === 'blocked' || state === 'failed' ? (sentence ?? []) : [])))
    .slice(0, 3)
    .map(({ sentence, count }) => (count === 1 ? sentence : `${sentence}\u{a0}(${wholeNumber(count)})`))
    .join(' ') || null

/**
 * After a load, reports a run that the previous page executed and was left in the middle of: its completed rows can be undone
 * (D541). Calls that were in flight are looked up and reported separately.
 */
export async function tellBrokenOff(): Promise<void> {
  for (const { id, command, sentence, rows = [], goes } of store.get(historyAtom)) {
    if (goes !== 'broken-off') continue
    await commandArrives(command).catch(() => {})
    endInHistory(id, rows)
    const detail = 'The page was left in the middle of it. The rest was not begun; what was on its way is told by itself.'
    showToast(sentence, { tone: 'bad', detail, undo: rows.length ? undoIfOffered(id) : null })
  }
}

/** Says how a run ended, and offers its undo. */
export function tellEnd(id: string): void {
  const run = view(id)
  const { entry, undoUntil } = run
  setTimeout(() => markSeen(id), shownFor)
  if (run.undoes) {
    const undone = store.get(historyAtom).find(({ undoneBy }) => undoneBy === id)
    if (undone) patchHistory(undone.id, { kept: run.total - run.done })
  }
  if (entry)
    patchHistory(entry, {
      sentence: summaryOf(run),
      ...(undoUntil === null ? {} : { undoUntil }),
      ...(run.beyond ? { noUndo: runOutOfReach } : {}),
    })
  refreshRows(run)
  if (watched(id)) {
    markSeen(id)
    announce(summaryOf(run))
  } else
    showToast(summaryOf(run), {
      tone: run.failed || run.blocked ? 'bad' : 'good',
      detail: [run.says, reasonsOf(run), run.beyond && run.done ? runOutOfReach : null].filter(Boolean).join(' ') || null,
      undo: run.entry && undoIfOffered(run.entry),
    })
}
