import { may } from '#domain/permissions.ts'
import { lockedTo, notOffered, targetOf } from '#kernel/availability.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { type HistoryEntry, undoOf } from '#kernel/history.ts'
import { callOf } from '#kernel/plan.ts'
import { undoneFor, undoneSentence } from '#kernel/undo-note.ts'
import { inParallel } from '#kernel/in-parallel.ts'
import type { Interruption } from '#kernel/interruption.ts'
import { type Outcome, runSteps, titleOf } from '#kernel/run.ts'
import { historyAtom, historyEntry, isNext, isServerRun, markUndone, offersUndo, patchHistory } from '#portal/commands/history.ts'
import { commandById } from '#portal/platform/registry.ts'
import { sending } from '#portal/commands/run.ts'
import { readRecord } from '#portal/records/load-record.ts'
import { change, runsAtom, watched } from '#portal/commands/run-views.ts'
import { undoOnServer } from '#portal/commands/server-runs.ts'
import { reportLater, reportRowsLater } from '#portal/commands/outbox/interruptions.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { myId } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'
import { dismissUndo, showToast } from '#portal/platform/toasts.ts'

/** The id by which the audit names an undo. */
const undoneBy = 'session.undo'
const undoing = new Set<string>()

/** What the next undo without a target takes back; undefined if unknown. */
type DescribeNext = () => Promise<string | undefined>

/**
 * Undoes the last entry, or says why not: an entry that cannot be undone at present is reported once, with what the next undo
 * takes back, and then skipped.
 */
export async function undoLast(): Promise<void> {
  const now = Date.now()
  const [entry, ...before] = store.get(historyAtom).filter((each) => isNext(each, now))
  if (!entry) return showToast('There is nothing to undo.')
  const stays = await canAttempt(entry, now)
  await undoEntry(entry.id, () => describeNextOf(before, now))
  if (!stays) skip(entry)
}

const skip = ({ id }: HistoryEntry): void => patchHistory(id, { passed: true })

/** Whether an undo of this entry can be attempted, or has to wait for the end of its run. */
async function canAttempt(entry: HistoryEntry, now: number): Promise<boolean> {
  // Only the server knows about its own runs.
  return (isServerRun(entry) && !entry.noUndo) || entry.goes === 'on' || offersUndo(entry, now)
}

/** The first of these entries that the next undo takes back; entries before it that cannot be undone are skipped. */
async function describeNextOf(entries: readonly HistoryEntry[], now: number): Promise<string | undefined> {
  for (const each of entries) {
    if (!(await canAttempt(each, now))) skip(each)
    else return offersUndo(each, now) ? `Undo once more to take back: ${each.sentence || each.title}.` : undefined
  }
  return 'Nothing that was done before it can be undone.'
}

/**
 * The subject of a refusal, if its reason does not name it or it was a while ago: 'Withdrew the invitation of Ann Lee, 4 minutes
 * ago.'
 */
function aboutOf({ sentence, at, target }: HistoryEntry, why: string): string | null {
  const minutes = Math.floor((Date.now() - at) / 60_000)
  if (minutes) return `${sentence}, ${pluralize(minutes, { one: 'minute', many: 'minutes' })} ago.`
  return target && why.includes(target.title) ? null : `${sentence}.`
}

/**
 * Undoes one entry of the history. Permission, status and version are checked as for any other command. A refusal adds the
 * sentence of `describeNext`: what the next undo takes back.
 */
export async function undoEntry(id: string, describeNext?: DescribeNext): Promise<void> {
  const entry = historyEntry(id)
  const command = entry && commandById(entry.command)
  if (!entry || !command) return showToast('This can no longer be undone.')
  if (entry.undone) return showToast('Already undone.')
  if (entry.refused) return showToast(entry.refused, { tone: 'bad' })
  // The same sentence as the server's for its own runs.
  if (entry.goes === 'on')
    return showToast('This run is still under way. Stop it first, or wait for its end.', {
      tone: 'bad',
      detail: `${entry.sentence}. The palette has “Stop the batch run” and “Show the last run”.`,
    })
  if (isServerRun(entry) && entry.noUndo) {
    skip(entry)
    return showToast(entry.noUndo, {
      tone: 'bad',
      detail: [aboutOf(entry, entry.noUndo), await describeNext?.()].filter(Boolean).join(' '),
    })
  }
  if (undoing.has(id)) return
  undoing.add(id)
  try {
    await (entry.rows
      ? undoRows(command, entry, entry.rows, describeNext)
      : entry.run
        ? undoOnServer(entry.run, command)
        : undoOne(command, entry, describeNext))
  } finally {
    undoing.delete(id)
  }
}

async function undoOne(command: Command, entry: HistoryEntry, describeNext?: DescribeNext): Promise<void> {
  const person = myId()
  const ended = await undo(command, entry)
  if ('why' in ended) {
    const { command: id, target } = entry
    if (
      ended.interruption &&
      reportLater(ended.interruption, person, {
        command: id,
        target: target && { entity: target.entity, id: target.id },
        undo: true,
      })
    )
      return
    if (ended.how === 'changed') removeUndo(entry.id, { refused: ended.why })
    else if (ended.how === 'never') skip(entry)
    const passed = ended.how === 'changed' || ended.how === 'never'
    const detail = [ended.detail ?? aboutOf(entry, ended.why), passed && (await describeNext?.())].filter(Boolean).join(' ')
    return showToast(ended.why, { tone: 'bad', detail: detail || null })
  }
  markUndone(entry.id)
  standsAgain(entry, ended.after)
  dismissUndo(entry.id)
  refreshLists()
  showToast((changes(command) && command.undo?.done?.(ended.after)) || undoneFor(command, entry.target?.title), { tone: 'good' })
}

/** After an undo the record has the state that an earlier change left, under a new version: that change can be undone again. */
export function standsAgain(undone: HistoryEntry, now: unknown): void {
  const { target, before } = undone
  const entity = target && commandById(undone.command)?.on
  if (!entity || before === undefined) return
  for (const { id, target: of, after, undone: over } of store.get(historyAtom))
    if (
      !over &&
      of?.entity === entity.name &&
      of.id === target.id &&
      after !== undefined &&
      entity.version(after) === entity.version(before)
    )
      patchHistory(id, { after: now, refused: undefined, passed: false })
}

/** Removes the undo of an entry that can no longer be undone, also from its toast. */
function removeUndo(id: string, how: Partial<HistoryEntry>): void {
  patchHistory(id, how)
  dismissUndo(id)
}

/** Undoes these rows. What is left is skipped by the next undo, unless a row failed or had no answer. */
async function undoRows(
  command: Command,
  entry: HistoryEntry,
  rows: NonNullable<HistoryEntry['rows']>,
  describeNext?: DescribeNext,
): Promise<void> {
  const left: NonNullable<HistoryEntry['rows']>[number][] = []
  const done: typeof left = []
  const reasons: string[] = []
  const interruptions: Interruption[] = []
  let passes = true
  const person = myId()
  const { on } = command
  // Rows of such commands change records in common, so each is read again after the one before it is finished.
  const one = changes(command) && command.facts?.expects && on
  await inParallel(rows, one ? 1 : 4, async (row) => {
    if (one) await readRecord(one, one.id(row.after)).catch(() => {})
    const ended = await undo(command, { ...entry, ...row })
    if (!('why' in ended)) return done.push(row)
    reasons.push(ended.why)
    if (ended.interruption) interruptions.push(ended.interruption)
    if (ended.how !== 'changed') left.push(row)
    if (ended.how === 'failed') passes = false
  })
  reportRowsLater(interruptions, person, { command: entry.command, target: null, undo: true }, done.length > 0)
  const kept = (entry.kept ?? rows.length) - done.length
  const why = [...new Set(reasons)].join(' ')
  if (reasons.length && passes) skip(entry)
  markRunRows(command, entry.run, done)
  // None of them was undone, and none will be.
  if (!left.length && !done.length && !entry.kept) removeUndo(entry.id, { refused: why, rows: [] })
  else {
    markUndone(entry.id, left)
    if (done.length || entry.kept) patchHistory(entry.id, { kept })
    if (!left.length) dismissUndo(entry.id)
  }
  // Rows that the filter had excluded may match again, anywhere in the list.
  if (done.length) refreshLists(true)
  if (!reasons.length) return showToast(undoneSentence(command, done.length), { tone: 'good' })
  const sentence = `${undoneSentence(command, done.length, rows.length)}.`
  // The reasons stay on the page of the run; a toast is shown only if that page is not on screen.
  if (entry.run && store.get(runsAtom).has(entry.run)) change(entry.run, { note: `${sentence} ${why}` })
  if (!entry.run || !watched(entry.run))
    showToast(sentence, { tone: 'bad', detail: [why, passes && (await describeNext?.())].filter(Boolean).join(' ') })
}

/** Marks rows as undone on the page of their run. */
function markRunRows({ on }: Command, run: string | undefined, rows: NonNullable<HistoryEntry['rows']>): void {
  const shown = run === undefined ? undefined : store.get(runsAtom).get(run)
  if (shown && on) change(shown.id, { undone: [...(shown.undone ?? []), ...rows.map(({ after }) => on.id(after))] })
}

/**
 * Outcome of an undo. `changed`: the record has changed since, so that it will always be refused; `never`: it cannot be undone as
 * far as known here, or the record is out of reach; `refused`: refused in the present state, and may be accepted later; `failed`:
 * may work at once. `interruption` if the session had ended.
 */
type UndoOutcome =
  | { after: unknown }
  | { why: string; detail: string | null; how: 'changed' | 'never' | 'refused' | 'failed'; interruption?: Interruption }

/** Statuses that mean the user lacks access. */
const outOfReach = [403, 404]

const changedSince = ({ on }: Command, after: unknown, current: unknown): boolean =>
  on !== undefined && current !== undefined && on.version(current) !== on.version(after)

async function undo(command: Command, entry: HistoryEntry): Promise<UndoOutcome> {
  const { on } = command
  // A run on the server has no target, so nothing is known here that could be undone.
  const current = on && entry.after !== undefined ? record(on.name, on.id(entry.after)) : undefined
  const made = undoOf(command, entry, Date.now(), current)
  if ('sentence' in made)
    return { why: made.sentence, detail: null, how: changedSince(command, entry.after, current) ? 'changed' : 'never' }
  const refused = whyNot(command, made.steps, current ?? entry.after)
  if (refused) return { why: refused, detail: null, how: 'never' }
  const outcome: Outcome = await runSteps(
    command,
    made.steps,
    entry.after,
    { title: titleOf(`Undo ${entry.title.toLowerCase()}`, on, entry.after), sentence: () => '', undoneBy },
    sending(command),
  )
  if (outcome.kind === 'done') {
    if (on) upsertRecords(on.name, [outcome.after])
    return { after: outcome.after }
  }
  if (on && outcome.kind === 'refused' && outcome.problem.code === 'stale-version')
    return { why: `${on.title(entry.after)} has changed since; undo would overwrite that.`, detail: null, how: 'changed' }
  const { sentence: why, detail } = outcome
  if (outcome.kind === 'failed') return { why, detail, how: 'failed' }
  const { problem, interruption } = outcome
  if (interruption) return { why, detail, how: 'failed', interruption }
  return { why, detail, how: outOfReach.includes(problem.status) ? 'never' : problem.status === 409 ? 'refused' : 'failed' }
}

/** Why the first step is not available: permission, or an API without the call; its state is checked by `undoOf`. */
function whyNot(command: Command, steps: readonly Step[], current: unknown): string | null {
  const context = store.get(commandContextAtom)
  const [first] = steps
  if (!first) return null
  const { intent } = callOf(first, [])
  const about = targetOf(intent.needs, command, current)
  if (may(context.held, intent.needs, about) === 'no') return lockedTo(context.held, intent.needs, about)
  if (!context.supports(intent.endpoint)) return notOffered
  return null
}
