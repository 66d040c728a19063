import { type RowResult, runMany } from '#kernel/bulk.ts'
import type { DryRun } from '#kernel/dry-run.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { amountWords, sumOver } from '#kernel/run-amounts.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { addRunToHistory, endInHistory, patchHistory } from '#portal/commands/history.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { sending, undoIfOffered } from '#portal/commands/run.ts'
import { readRecord } from '#portal/records/load-record.ts'
import { change, doneOf, putRun, type RunView, runsAtom, tellEnd, view } from '#portal/commands/run-views.ts'
import { retryOnServer, stopOnServer, undoOnServer } from '#portal/commands/server-runs.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { undoEntry } from '#portal/commands/undo.ts'
import { reportRowsLater } from '#portal/commands/outbox/interruptions.ts'
import { recordUse } from '#portal/commands/uses.ts'

/** State of a run that this page executes. */
interface LocalRun {
  records: unknown[]
  params: Record<string, unknown>
  /** The ids of the rows whose undo would be refused, as announced beforehand. */
  kept: readonly string[]
  stop: AbortController
}
const locals = new Map<string, LocalRun>()

const count = (rows: readonly RowResult[], ...states: RowResult['state'][]): number =>
  rows.filter((row) => states.includes(row.state)).length

const counts = (rows: readonly RowResult[]) => ({
  waiting: count(rows, 'waiting', 'running'),
  done: count(rows, 'done'),
  blocked: count(rows, 'blocked'),
  failed: count(rows, 'failed'),
  stopped: count(rows, 'stopped'),
})

/** The ids of the rows that runs of this page have yet to do. */
export const idsUnderWay = (on: AnyEntity | undefined): ReadonlySet<string> =>
  new Set(
    [...store.get(runsAtom).values()].flatMap(({ state, where, command, rows }) =>
      state === 'running' && where === 'here' && command.on === on
        ? rows.flatMap((row) => (row.state === 'waiting' || row.state === 'running' ? [row.id] : []))
        : [],
    ),
  )

interface RunHereOptions {
  /** The ids of records whose undo would be refused. */
  kept?: readonly string[]
  /** Rows refused by the preview: they are not sent, and are listed in the result with their reasons, below the others. */
  blocked?: DryRun['blocked']
}

/** Runs a change over records in this page; returns the id of the run at once. */
export function runHere(
  command: Command,
  targets: Targets,
  records: readonly unknown[],
  params: Record<string, unknown>,
  { kept = [], blocked = [] }: RunHereOptions = {},
): string {
  const id = crypto.randomUUID()
  const { on } = command
  const leftOut = blocked.map(
    ({ row, sentence }): RowResult => ({ id: on?.id(row) ?? '', title: on?.title(row) ?? '', state: 'blocked', sentence }),
  )
  locals.set(id, { records: [...records], params, kept, stop: new AbortController() })
  const total = records.length + leftOut.length
  const none = {
    done: 0,
    blocked: leftOut.length,
    failed: 0,
    stopped: 0,
    rows: leftOut,
    entry: null,
    undoUntil: null,
    kept: 0,
    undoes: false,
    note: null,
    seen: false,
  }
  putRun({ id, command, where: 'here', state: 'running', total, waiting: records.length, ...none })
  dropDraft(command.id, targets)
  recordUse(command.id)
  void execute(id, records, (rows) => [...rows, ...leftOut])
  return id
}

/**
 * A run is in the history from its start, with the rows done so far: Ctrl+Z concerns it, and neither the end of the session nor
 * leaving the page loses it.
 */
async function execute(
  id: string,
  records: readonly unknown[],
  all: (rows: readonly RowResult[]) => readonly RowResult[],
): Promise<void> {
  const { command } = view(id)
  const local = locals.get(id) as LocalRun
  const io = sending(command)
  const soFar = (rows: HistoryEntry['rows'] = []) => ({ rows, sentence: doneOf(command, rows.length, records.length) })
  const entry = addRunToHistory(command, { run: id, params: local.params, ...soFar(), goes: 'on' })
  change(id, { entry })
  let reported: readonly RowResult[] = []
  let noted = performance.now()
  const note = () => {
    noted = performance.now()
    patchHistory(entry, soFar(undoable(reported)))
  }
  const report = (rows: readonly RowResult[]) => {
    reported = rows
    const every = all(rows)
    change(id, { rows: every, ...counts(every), ...totalsOf(command, local, every) })
    if (performance.now() - noted > noteInterval) note()
  }
  const release = guardPage(note)
  const ended = await runMany(command, records, local.params, io, report, local.stop.signal).finally(release)
  const done = undoable(ended)
  if (command.on)
    upsertRecords(
      command.on.name,
      done.map(({ after }) => after),
    )
  const interruptions = ended.flatMap(({ interruption }) => interruption ?? [])
  reportRowsLater(interruptions, io.person, { command: command.id, target: null, run: id }, done.length > 0)
  endInHistory(entry, done)
  change(id, { state: local.stop.signal.aborted ? 'stopped' : 'done', entry: done.length ? entry : null })
  tellEnd(id)
}

/** Totals of the completed rows, and how many of them cannot be undone. */
function totalsOf(command: Command, { params, kept }: LocalRun, rows: readonly RowResult[]): Partial<RunView> {
  const done = rows.filter((row) => row.done)
  const amounts = sumOver(
    command,
    undoable(done).map(({ before }) => before),
    params,
  )
  return {
    kept: done.filter((row) => kept.includes(row.id)).length,
    ...(amounts ? { says: amountWords(command, params, amounts) } : {}),
  }
}

/** Milliseconds between two updates of the history entry while a run is under way. */
const noteInterval = 500

const undoable = (rows: readonly RowResult[]) => rows.flatMap((row) => (row.done ? [row.done] : []))

/** Asks before the page of a run is left, and updates the history entry on `pagehide`. Returns the function that stops it. */
function guardPage(note: () => void): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  addEventListener('pagehide', note)
  return () => {
    removeEventListener('beforeunload', ask)
    removeEventListener('pagehide', note)
  }
}

/** The last run of this page that matches; shows `none` if there is none. */
function lastRun(is: (run: RunView) => boolean, none: string): string | undefined {
  const found = [...store.get(runsAtom).values()].findLast(is)
  if (!found) showToast(none)
  return found?.id
}

/** Stops a run, by default the last one under way: completed rows stay done. */
export async function stopTheRun(named?: string): Promise<void> {
  const id = named ?? lastRun(({ state }) => state === 'running', 'No batch run is under way.')
  if (id === undefined) return
  if (view(id).where === 'server') await stopOnServer(id)
  else locals.get(id)?.stop.abort()
}

/** Retries the rows that failed or were not started; rows refused by a rule stay as they are. */
export async function retryTheRun(named?: string): Promise<void> {
  const left = ({ state, failed, stopped }: RunView) => state !== 'running' && failed + stopped > 0
  const id = named ?? lastRun(left, 'Nothing failed in a batch run of this page.')
  if (id === undefined) return
  const run = view(id)
  if (run.state === 'running') return
  if (run.where === 'server') return retryOnServer(id)
  const local = locals.get(id) as LocalRun
  const { on } = run.command
  const again = run.rows.flatMap((row, index) => (row.state === 'failed' || row.state === 'stopped' ? [index] : []))
  if (!again.length || !on) return
  local.stop = new AbortController()
  change(id, { state: 'running', note: null, seen: false })
  const records = await Promise.all(
    again.map((index) => readRecord(on, on.id(local.records[index])).catch(() => local.records[index])),
  )
  for (const [place, index] of again.entries()) local.records[index] = records[place]
  const all = (rows: readonly RowResult[]) =>
    run.rows.map((row, index) => (again.includes(index) ? (rows[again.indexOf(index)] ?? row) : row))
  await execute(id, records, all)
}

/**
 * Undoes a run: one of this page by its history entry, which says why if it cannot be, else by the server, which alone knows its
 * own runs.
 */
export async function undoTheRun(id: string): Promise<void> {
  const { entry, command, where } = view(id)
  if (where === 'here') return entry === null ? showToast('There is nothing to undo.') : undoEntry(entry)
  return entry !== null && undoIfOffered(entry) !== null ? undoEntry(entry) : undoOnServer(id, command)
}
