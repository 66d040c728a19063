import { pluralize } from '#kernel/pluralize.ts'
import { getRun, listRuns, retryRun, type Run, startRun, stopRun, undoRun } from '#contract/runs.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { runOutOfReach, undoWindow } from '#domain/undo.ts'
import type { RowResult } from '#kernel/bulk.ts'
import { changes, type Command } from '#kernel/command.ts'
import { amountWords } from '#kernel/run-amounts.ts'
import { interruptionText } from '#kernel/interruption.ts'
import { untilAnswered } from '#kernel/send.ts'
import { Refusal, Unanswered } from '#kernel/api-client.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { addRunToHistory, historyAtom, markUndone, patchHistory } from '#portal/commands/history.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { commands } from '#portal/platform/registry.ts'
import { newKey, waitToAskAgain } from '#portal/commands/run.ts'
import { change, putRun, refreshRows, runsAtom, showRun, tellEnd, view, watched } from '#portal/commands/run-views.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { store } from '#portal/platform/store.ts'
import { dismissUndo, showToast } from '#portal/platform/toasts.ts'
import { interruptionBy, reportLater } from '#portal/commands/outbox/interruptions.ts'
import { deniedAtom, myId } from '#portal/api/session.ts'
import { recordUse } from '#portal/commands/uses.ts'
import { apiClient } from '#portal/api/client.ts'

/** Milliseconds between two polls of a run, and polls between two refreshes of the rows on screen. */
const pollInterval = 600
const pollsPerRefresh = 5

/** Posts to runs with retries under one idempotency key. */
async function post(endpoint: AnyEndpoint, at: Record<string, string>, body: unknown, command: string): Promise<Run> {
  const key = newKey()
  return untilAnswered(async () => (await apiClient.post(endpoint, at, body, { key, command })) as Run, waitToAskAgain)
}

/**
 * Why a run was not started, undone, stopped or retried. If the session had ended, this is reported again after the next sign-in.
 */
function whyNot(error: unknown, person: string, what: Parameters<typeof reportLater>[2], otherwise: string): string {
  const how = interruptionBy(error)
  if (how === null) return error instanceof Refusal ? error.message : otherwise
  reportLater(how, person, what)
  return interruptionText(how).sentence
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

/** Whether a run was not started because the rows it applies to have changed, or none is left. */
export const areOthers = ({ problem }: Refusal): boolean => problem.code === 'stale-version' || problem.code === 'not-found'

/** Whether no row is left to be done, though the user had selected some: the rights may be the reason. */
const areNone = ({ problem: { errors = [] } }: Refusal): boolean => errors.some(({ path }) => path === 'targets')

/** The answer to a start; where the rows have changed by now, the lists on screen are refetched. */
async function broadcastRun(asked: Promise<unknown>): Promise<Run> {
  try {
    return (await asked) as Run
  } catch (error) {
    if (error instanceof Refusal && areNone(error)) doubtRights()
    if (error instanceof Refusal && (areOthers(error) || areNone(error))) refreshLists(true)
    throw error
  }
}

/** Dry run on the server: what it would do for these targets. */
export async function dryRunOnServer(command: Command, targets: Targets, params: Record<string, unknown>): Promise<Run> {
  const run = await broadcastRun(apiClient.post(startRun, {}, { ...bodyOf(command, targets, params), dry_run: true }))
  if (run.failed) doubtRights()
  return run
}

/**
 * Starts a run on the server over as many rows as the user confirmed; returns its id. Throws `Refusal`, also if the number of
 * rows has changed by now, or `GaveUp`.
 */
export async function runOnServer(
  command: Command,
  targets: Targets,
  params: Record<string, unknown>,
  forecast: Run,
): Promise<string> {
  const run = await broadcastRun(
    post(
      startRun,
      {},
      { ...bodyOf(command, targets, params), eligible: forecast.waiting, moved: forecast.amounts?.moved },
      command.id,
    ),
  )
  dropDraft(command.id, targets)
  recordUse(command.id)
  const sentence = `${command.title}: ${pluralize(run.total, command.on)}`
  const entry = addRunToHistory(command, { run: run.id, params, sentence })
  const { waiting: of, amounts } = forecast
  add(run, command, entry, false, amounts && { of, words: amountWords(command, params, amounts) })
  return run.id
}

function publish(run: Run) {
  const { state, total, waiting, done, blocked, failed } = run
  const undoUntil = run.undo_until === null ? null : Date.parse(run.undo_until)
  const rows: RowResult[] = run.problems.map((row) => ({
    id: row.target_id,
    title: row.title,
    state: row.state,
    sentence: row.message,
  }))
  const stopped = Math.max(0, total - waiting - done - blocked - failed)
  const kept = (run.undo_refused ?? []).reduce((sum, { count }) => sum + count, 0)
  return { state, total, waiting, done, blocked, failed, stopped, rows, undoUntil, kept, beyond: run.out_of_reach ?? false }
}

/** Where rows failed, or none is left, the rights may be the reason: they are reloaded. */
const doubtRights = (): void => store.set(deniedAtom, (count) => count + 1)

/** The announced result of a run in words, which holds if exactly `of` rows are done. */
interface RunForecast {
  of: number
  words: string
}

function add(run: Run, command: Command, entry: string | null, seen = false, forecast?: RunForecast): void {
  putRun({ ...publish(run), id: run.id, command, where: 'server', entry, undoes: run.undoes !== null, note: null, seen })
  if (run.state === 'running') void follow(run.id, forecast)
  else if (entry)
    patchHistory(
      entry,
      run.undone_by
        ? { undone: true, undoneBy: run.undone_by }
        : run.out_of_reach
          ? { noUndo: runOutOfReach }
          : { undoUntil: view(run.id).undoUntil ?? 0 },
    )
}

const read = async (id: string): Promise<Run> => (await apiClient.read(getRun, { id }, undefined, { background: true })) as Run

const following = new Set<string>()

async function follow(id: string, forecast?: RunForecast): Promise<void> {
  if (following.has(id)) return
  following.add(id)
  try {
    for (let failures = 0, looks = 1; view(id).state === 'running'; looks++) {
      await new Promise((resolve) => setTimeout(resolve, pollInterval))
      try {
        change(id, { ...publish(await read(id)), note: null })
        failures = 0
        if (looks % pollsPerRefresh === 0) refreshRows(view(id))
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        await waitToAskAgain(++failures)
      }
    }
    if (forecast?.of === view(id).done) change(id, { says: forecast.words })
    tellEnd(id)
    if (view(id).failed) doubtRights()
  } catch (error) {
    change(id, { note: error instanceof Refusal ? error.message : 'The run could not be loaded.' })
  } finally {
    following.delete(id)
  }
}

/** Changes a run on the server; if that fails, the page of the run says why. Returns whether it was changed. */
async function changeOnServer(id: string, endpoint: AnyEndpoint, command: string, otherwise: string): Promise<boolean> {
  const person = myId()
  try {
    change(id, { ...publish(await post(endpoint, { id }, {}, view(id).command.id)), note: null })
    return true
  } catch (error) {
    change(id, { note: whyNot(error, person, { command, target: null, run: id }, otherwise) })
    return false
  }
}

/** Stops a run: completed rows stay done. */
export const stopOnServer = (id: string): Promise<boolean> =>
  changeOnServer(id, stopRun, 'run.stop', 'The run could not be stopped. Try again.')

/** Retries the rows that failed or were not started. */
export async function retryOnServer(id: string): Promise<void> {
  if (!(await changeOnServer(id, retryRun, 'run.retry', 'The rows could not be tried again.'))) return
  change(id, { seen: false })
  void follow(id)
}

/** A run that is out of reach by now can no longer be undone, and does not block the undo of older entries. */
function giveUpRun(id: string): void {
  const entry = entryOf(id)
  if (entry) {
    patchHistory(entry, { passed: true, undoUntil: undefined, noUndo: runOutOfReach })
    dismissUndo(entry)
  }
  if (store.get(runsAtom).has(id)) change(id, { undoUntil: null, beyond: true })
}

/** Has the server undo a run, as a run of its own, which replaces it on screen. */
export async function undoOnServer(id: string, command: Command): Promise<void> {
  const person = myId()
  try {
    const run = await post(undoRun, { id }, {}, 'session.undo')
    add(run, command, null)
    const entry = entryOf(id)
    if (entry) {
      markUndone(entry)
      patchHistory(entry, { undoneBy: run.id, ...(run.state === 'running' ? {} : { kept: run.total - run.done }) })
      dismissUndo(entry)
    }
    if (store.get(runsAtom).has(id)) change(id, { undoUntil: null })
    if (watched(id)) showRun(run.id)
  } catch (error) {
    const what = { command: command.id, target: null, undo: true }
    if (error instanceof Refusal && error.problem.code === 'not-found') giveUpRun(id)
    const sentence = store.get(historyAtom).find((entry) => entry.run === id)?.sentence
    showToast(whyNot(error, person, what, 'The server did not answer. Try again.'), {
      tone: 'bad',
      detail: sentence ? `${sentence}.` : null,
    })
  }
}

/** The command of a run that another page, or this one before a reload, started. */
export function commandOf({ command, intent }: Pick<Run, 'command' | 'intent'>): Command | undefined {
  const all = commands()
  const ofRows = (each: Command) => changes(each) && each.on !== undefined
  return (
    all.find((each) => each.id === command && ofRows(each)) ??
    all.find((each) => changes(each) && ofRows(each) && each.does.length === 1 && each.does[0]?.id === intent)
  )
}

const entryOf = (run: string): string | null => store.get(historyAtom).find((entry) => entry.run === run)?.id ?? null

/** Loads a run of the server that this page does not know; false if there is none. */
export async function loadRun(id: string): Promise<boolean> {
  try {
    const run = await read(id)
    const command = commandOf(run)
    if (command) add(run, command, entryOf(id), true)
    return command !== undefined
  } catch {
    return false
  }
}

/** After a reload or a new sign-in: loads the runs that are under way, or can still be undone. */
export async function resumeRuns(): Promise<void> {
  if (!store.get(capabilitiesAtom)(listRuns)) return
  try {
    const { runs } = (await apiClient.read(listRuns, {}, undefined, { background: true })) as { runs: Run[] }
    for (const run of runs.toReversed()) {
      const command = commandOf(run)
      const old = run.finished_at !== null && Date.now() - Date.parse(run.finished_at) > undoWindow
      const known = store.get(runsAtom).get(run.id)
      // Known from before the session ended: polling resumes.
      if (known?.state === 'running') void follow(run.id)
      if (!command || old || known) continue
      add(run, command, entryOf(run.id), run.state !== 'running')
    }
  } catch {
    // The runs continue without it; each is loaded when it is opened.
  }
}
