import { atom } from 'jotai/vanilla'
import { getRun, retryRun, type Run, startRun, stopRun } from '#contract/runs.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { localLimit, type RowResult, runMany } from '#kernel/bulk.ts'
import { changes, type Command } from '#kernel/command.ts'
import { failuresUntilGivingUp } from '#kernel/send.ts'
import { Refusal, Unanswered } from '#kernel/wire.ts'
import { dropDraft } from '#portal/state/drafts.ts'
import { addHistory } from '#portal/state/history.ts'
import { paletteAtom, type Targets } from '#portal/state/palette.ts'
import { newKey, sending, undoIfOffered, waitToAskAgain } from '#portal/state/run.ts'
import { readThing } from '#portal/state/run-targets.ts'
import { store } from '#portal/state/store.ts'
import { putThings } from '#portal/state/things.ts'
import { say, speak } from '#portal/state/toasts.ts'
import { recordUse } from '#portal/state/uses.ts'
import { wire } from '#portal/state/wire.ts'

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
  /** What happened to the run itself: 'Could not be stopped'. */
  note: string | null
}

/** The runs of this page by id; kept until the page is left. */
export const runsAtom = atom<ReadonlyMap<string, RunView>>(new Map())

const view = (id: string): RunView => store.get(runsAtom).get(id) as RunView
const change = (id: string, to: Partial<RunView>): void =>
  store.set(runsAtom, (now) => new Map(now).set(id, { ...(now.get(id) as RunView), ...to }))

/** Whether the page of a run is on screen. */
const watched = (id: string): boolean => {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return open && top?.kind === 'run' && top.run === id
}

/** What this page has to remember of a run that it carries out itself. */
interface Local {
  things: unknown[]
  params: Record<string, unknown>
  stop: AbortController
}
const locals = new Map<string, Local>()

/** The server can carry a command out over many rows when it is one intent on the row itself. */
export const byServer = (command: Command): boolean =>
  changes(command) && command.on !== undefined && !command.plan && command.does.length === 1

/** Whether a run over these targets is the server's. */
export const runsOnServer = (command: Command, targets: Targets): boolean =>
  byServer(command) && (targets.filter !== null || targets.ids.length > localLimit)

const count = (rows: readonly RowResult[], ...states: RowResult['state'][]): number =>
  rows.filter((row) => states.includes(row.state)).length

const counts = (rows: readonly RowResult[]) => ({
  waiting: count(rows, 'waiting', 'running'),
  done: count(rows, 'done'),
  blocked: count(rows, 'blocked'),
  failed: count(rows, 'failed'),
  stopped: count(rows, 'stopped'),
})

/** Runs a change over things in this page; answers the id of the run at once. */
export function runHere(command: Command, targets: Targets, things: readonly unknown[], params: Record<string, unknown>): string {
  const id = crypto.randomUUID()
  locals.set(id, { things: [...things], params, stop: new AbortController() })
  store.set(runsAtom, (now) =>
    new Map(now).set(id, {
      id,
      command,
      where: 'here',
      state: 'running',
      total: things.length,
      waiting: things.length,
      done: 0,
      blocked: 0,
      failed: 0,
      stopped: 0,
      rows: [],
      entry: null,
      note: null,
    }),
  )
  dropDraft(command.id, targets)
  recordUse(command.id)
  void carryOut(id, things, (rows) => rows)
  return id
}

async function carryOut(
  id: string,
  things: readonly unknown[],
  all: (rows: readonly RowResult[]) => readonly RowResult[],
): Promise<void> {
  const { command } = view(id)
  const local = locals.get(id) as Local
  const report = (rows: readonly RowResult[]) => {
    const every = all(rows)
    change(id, { rows: every, ...counts(every) })
  }
  const ended = await runMany(command, things, local.params, sending(command), report, local.stop.signal)
  if (command.on)
    putThings(
      command.on.name,
      ended.flatMap((row) => (row.done ? [row.done.after] : [])),
    )
  change(id, { state: local.stop.signal.aborted ? 'stopped' : 'done' })
  const done = ended.flatMap((row) => (row.done ? [row.done] : []))
  if (done.length) {
    const sentence = `${command.title}: ${done.length} done`
    const one = { before: undefined, after: undefined, answers: [], rows: done }
    change(id, {
      entry: addHistory({ command: command.id, title: command.title, sentence, target: null, params: local.params, ...one }),
    })
  }
  tellEnd(id)
}

/** 'Pause employee: 12 done, 3 failed, 2 refused'. */
export const summaryOf = (run: RunView): string => {
  const parts = [
    `${run.done.toLocaleString('en-US')} done`,
    run.failed ? `${run.failed.toLocaleString('en-US')} failed` : '',
    run.blocked ? `${run.blocked.toLocaleString('en-US')} refused` : '',
    run.stopped ? `${run.stopped.toLocaleString('en-US')} not begun` : '',
  ]
  return `${run.command.title}: ${parts.filter(Boolean).join(', ')}`
}

function tellEnd(id: string): void {
  const run = view(id)
  if (watched(id)) speak(summaryOf(run))
  else say(summaryOf(run), { tone: run.failed || run.blocked ? 'bad' : 'good', undo: run.entry && undoIfOffered(run.entry) })
}

/** Posts to runs until there is an answer, under one key; throws `Refusal`, or `Unanswered` when the server keeps failing. */
async function post(endpoint: AnyEndpoint, at: Record<string, string>, body: unknown, command: string): Promise<Run> {
  const key = newKey()
  for (let attempt = 1; ; attempt++) {
    try {
      return (await wire.post(endpoint, at, body, { key, command })) as Run
    } catch (error) {
      if (!(error instanceof Unanswered) || (error.answered && attempt >= failuresUntilGivingUp)) throw error
      await waitToAskAgain(attempt)
    }
  }
}

const bodyOf = (command: Command, targets: Targets, params: Record<string, unknown>) => {
  const [intent] = changes(command) ? command.does : []
  if (!intent) throw new Error(`The command ${command.id} changes nothing.`)
  return {
    intent: intent.id,
    command: command.id,
    body: { ...intent.fixed, ...params },
    targets: targets.filter ? { filter: targets.filter } : { ids: targets.ids.map(Number) },
  }
}

/** What the server would do over these targets: nothing is changed. */
export const dryRunOnServer = async (command: Command, targets: Targets, params: Record<string, unknown>): Promise<Run> =>
  (await wire.post(startRun, {}, { ...bodyOf(command, targets, params), dry_run: true })) as Run

/** Starts a run on the server; answers its id. Throws `Refusal` or `Unanswered`. */
export async function runOnServer(command: Command, targets: Targets, params: Record<string, unknown>): Promise<string> {
  const run = await post(startRun, {}, bodyOf(command, targets, params), command.id)
  dropDraft(command.id, targets)
  recordUse(command.id)
  addHistory({
    command: command.id,
    title: command.title,
    sentence: `${command.title}: ${run.total.toLocaleString('en-US')} ${command.on?.many ?? 'rows'} on the server`,
    target: null,
    params,
    before: undefined,
    after: undefined,
    answers: [],
  })
  store.set(runsAtom, (now) =>
    new Map(now).set(run.id, { ...told(run), id: run.id, command, where: 'server', entry: null, note: null }),
  )
  void follow(run.id)
  return run.id
}

function told(run: Run) {
  const { state, total, waiting, done, blocked, failed } = run
  const rows: RowResult[] = run.problems.map((row) => ({
    id: row.target_id,
    title: row.title,
    state: row.state,
    sentence: row.message,
  }))
  return { state, total, waiting, done, blocked, failed, stopped: Math.max(0, total - waiting - done - blocked - failed), rows }
}

const following = new Set<string>()

async function follow(id: string): Promise<void> {
  if (following.has(id)) return
  following.add(id)
  try {
    for (let failures = 0; view(id).state === 'running'; ) {
      await new Promise((resolve) => setTimeout(resolve, 600))
      try {
        change(id, told((await wire.read(getRun, { id }, undefined, { background: true })) as Run))
        failures = 0
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        await waitToAskAgain(++failures)
      }
    }
    tellEnd(id)
  } catch (error) {
    change(id, { note: error instanceof Refusal ? error.message : 'How the run stands could not be read.' })
  } finally {
    following.delete(id)
  }
}

/** Stops a run: rows that are done stay done. */
export async function stopTheRun(id: string): Promise<void> {
  locals.get(id)?.stop.abort()
  if (view(id).where === 'here') return
  try {
    change(id, told(await post(stopRun, { id }, {}, view(id).command.id)))
  } catch (error) {
    change(id, { note: error instanceof Refusal ? error.message : 'The run could not be stopped. Try again.' })
  }
}

/** Tries the rows again that failed or were not begun; rows that a rule refused stay as they are. */
export async function retryTheRun(id: string): Promise<void> {
  const run = view(id)
  if (run.state === 'running') return
  if (run.where === 'server') {
    try {
      change(id, { ...told(await post(retryRun, { id }, {}, run.command.id)), note: null })
      void follow(id)
    } catch (error) {
      change(id, { note: error instanceof Refusal ? error.message : 'The rows could not be tried again.' })
    }
    return
  }
  const local = locals.get(id) as Local
  const { on } = run.command
  const again = run.rows.flatMap((row, index) => (row.state === 'failed' || row.state === 'stopped' ? [index] : []))
  if (!again.length || !on) return
  local.stop = new AbortController()
  change(id, { state: 'running', note: null })
  const things = await Promise.all(
    again.map((index) => readThing(on, on.id(local.things[index])).catch(() => local.things[index])),
  )
  for (const [place, index] of again.entries()) local.things[index] = things[place]
  const all = (rows: readonly RowResult[]) =>
    run.rows.map((row, index) => (again.includes(index) ? (rows[again.indexOf(index)] ?? row) : row))
  await carryOut(id, things, all)
}
