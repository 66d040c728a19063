import { undoneSentence } from '#kernel/undo-note.ts'
import { atom } from 'jotai/vanilla'
import { countReasons } from '#domain/reasons.ts'
import { runOutOfReach } from '#domain/undo.ts'
import type { RowResult } from '#kernel/bulk.ts'
import type { Command } from '#kernel/command.ts'
import { endInHistory, historyAtom, patchHistory } from '#portal/commands/history.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { paletteAtom, pushPage } from '#portal/commands/palette-state.ts'
import { progressAtom } from '#portal/commands/progress.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { undoIfOffered } from '#portal/commands/run.ts'
import { readRecord } from '#portal/records/load-record.ts'
import { store } from '#portal/platform/store.ts'
import { showToast, announce } from '#portal/platform/toasts.ts'
import { wholeNumber } from '#domain/text.ts'

/** One command over many records, executed by this page, or by the server, which continues when the page is closed. */
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
  /** For a run in this page every row; for one on the server those that did not succeed, at most 200. */
  rows: readonly RowResult[]
  /** The history entry to undo, if there is one. */
  entry: string | null
  /** Until when the server can undo the whole run; null if it cannot. */
  undoUntil: number | null
  /** Number of completed rows whose undo would be refused. */
  kept: number
  /** The total of the completed rows, in words. */
  says?: string
  /** For a run in this page: the ids of the rows undone since. */
  undone?: readonly string[]
  /** For a run on the server: none of its rows is accessible to the user any more, so neither undo nor retry is possible. */
  beyond?: boolean
  /** True for a run that undoes another one. */
  undoes: boolean
  /** A message about the run itself: 'Could not be stopped'. */
  note: string | null
  /** Whether its end was displayed. */
  seen: boolean
}

/** The runs known to this page, by id; kept until it is left. */
export const runsAtom = atom<ReadonlyMap<string, RunView>>(new Map())

/** A run known to this page. */
export const view = (id: string): RunView => store.get(runsAtom).get(id) as RunView

/** Adds or replaces a run. */
export function putRun(run: RunView): void {
  store.set(runsAtom, (now) => new Map(now).set(run.id, run))
  publish()
}

/** Changes fields of a run. */
export const change = (id: string, to: Partial<RunView>): void => putRun({ ...view(id), ...to })

/** 'Pause employee', 'Undo pause employee'. */
export const titleOf = ({ command, undoes }: RunView): string => (undoes ? `Undo ${command.title.toLowerCase()}` : command.title)

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
    run.stopped ? `${wholeNumber(run.stopped)} not started` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Whether the page of a run is on screen. */
export const watched = (id: string): boolean => {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return open && top?.kind === 'run' && top.run === id
}

/** Shows the page of a run. */
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

/** Updates the status bar: the run under way, else the last one that ended unseen. */
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

/** Once its end was displayed, a run leaves the status bar. */
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

/** Milliseconds for which the status bar shows the end of a run; the history keeps it. */
const shownFor = 30_000

/** The most frequent reasons of refused and failed rows with their counts, for a message. */
const reasonsOf = ({ rows }: RunView): string | null =>
  countReasons(rows.flatMap(({ state, sentence }) => (state === 'blocked' || state === 'failed' ? (sentence ?? []) : [])))
    .slice(0, 3)
    .map(({ sentence, count }) => (count === 1 ? sentence : `${sentence}\u{a0}(${wholeNumber(count)})`))
    .join(' ') || null

/**
 * After a load, reports a run that the previous page executed and was left in the middle of: its completed rows can be undone.
 * Calls that were in flight are looked up and reported separately.
 */
export async function tellBrokenOff(): Promise<void> {
  for (const { id, sentence, rows = [], goes } of store.get(historyAtom)) {
    if (goes !== 'broken-off') continue
    endInHistory(id, rows)
    const detail =
      'The page was left in the middle of it. The rest was not started; requests already sent are listed on their own.'
    showToast(sentence, { tone: 'bad', detail, undo: rows.length ? undoIfOffered(id) : null })
  }
}

/** Reports how a run ended, and offers its undo. */
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
