import { may } from '#domain/permissions.ts'
import { lockedTo, notOffered, targetOf } from '#kernel/availability.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'
import { type HistoryEntry, undoOf } from '#kernel/history.ts'
import { callOf } from '#kernel/plan.ts'
import { type Outcome, runSteps, titleOf } from '#kernel/run.ts'
import { historyAtom, historyEntry, markUndone, patchHistory, standsAgain } from '#portal/commands/history.ts'
import { commandArrives } from '#portal/app/bundle.ts'
import { commandById } from '#portal/app/registry.ts'
import { sending } from '#portal/commands/run.ts'
import { change, runsAtom, undoneFor, undoneSentence } from '#portal/commands/run-views.ts'
import { undoOnServer } from '#portal/commands/server-runs.ts'
import { situationAtom } from '#portal/commands/context.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { store } from '#portal/app/store.ts'
import { putThings, thing } from '#portal/records/things.ts'
import { dismissUndo, say } from '#portal/app/toasts.ts'

/** As the audit names the command that undoes. */
const undoneBy = 'session.undo'
const undoing = new Set<string>()

/** Undoes the last thing done, or says why not. */
export async function undoLast(): Promise<void> {
  const entry = store.get(historyAtom).find((each) => !each.undone)
  if (!entry) return say('There is nothing to undo.')
  await undoEntry(entry.id)
}

/** Undoes one entry of the history. Permission, status and version are judged as for any other command. */
export async function undoEntry(id: string): Promise<void> {
  const entry = historyEntry(id)
  if (entry) await commandArrives(entry.command).catch(() => {})
  const command = entry && commandById(entry.command)
  if (!entry || !command) return say('This can no longer be undone.')
  if (entry.undone) return say('Already undone.')
  if (undoing.has(id)) return
  undoing.add(id)
  try {
    await (entry.rows
      ? undoRows(command, entry, entry.rows)
      : entry.run
        ? undoOnServer(entry.run, command)
        : undoOne(command, entry))
  } finally {
    undoing.delete(id)
  }
}

async function undoOne(command: Command, entry: HistoryEntry): Promise<void> {
  const ended = await undo(command, entry)
  if ('why' in ended) {
    // Which of them it is about, where the reason does not name it.
    const about = entry.target && ended.why.includes(entry.target.title) ? null : entry.sentence
    return say(ended.why, { tone: 'bad', detail: ended.detail ?? about })
  }
  markUndone(entry.id)
  standsAgain(entry, ended.after)
  dismissUndo(entry.id)
  say((changes(command) && command.undone?.(ended.after)) || undoneFor(command, entry.target?.title), { tone: 'good' })
}

async function undoRows(command: Command, entry: HistoryEntry, rows: NonNullable<HistoryEntry['rows']>): Promise<void> {
  const left: NonNullable<HistoryEntry['rows']>[number][] = []
  const reasons: string[] = []
  let next = 0
  const worker = async () => {
    while (next < rows.length) {
      const row = rows[next++] as (typeof rows)[number]
      const ended = await undo(command, { ...entry, ...row })
      if ('why' in ended) {
        left.push(row)
        reasons.push(ended.why)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, rows.length) }, worker))
  markUndone(entry.id, left)
  tellRun(
    command,
    entry.run,
    rows.filter((row) => !left.includes(row)),
  )
  if (left.length === 0) {
    if (entry.kept) patchHistory(entry.id, { kept: 0 })
    dismissUndo(entry.id)
    return say(undoneSentence(command, rows.length), { tone: 'good' })
  }
  const sentence = `Undone for ${rows.length - left.length} of ${rows.length}.`
  const why = [...new Set(reasons)].join(' ')
  patchHistory(entry.id, { kept: left.length })
  // Its page is where the reasons are looked up later.
  if (entry.run && store.get(runsAtom).has(entry.run)) change(entry.run, { note: `${sentence} ${why}` })
  say(sentence, { tone: 'bad', detail: why })
}

/** Tells the page of a run which of its rows are undone. */
function tellRun({ on }: Command, run: string | undefined, rows: NonNullable<HistoryEntry['rows']>): void {
  const shown = run === undefined ? undefined : store.get(runsAtom).get(run)
  if (shown && on) change(shown.id, { undone: [...(shown.undone ?? []), ...rows.map(({ after }) => on.id(after))] })
}

type Undone = { after: unknown } | { why: string; detail: string | null }

async function undo(command: Command, entry: HistoryEntry): Promise<Undone> {
  const { on } = command
  // A run by the server names no thing: nothing is known of it that could be undone.
  const current = on && entry.after !== undefined ? thing(on.name, on.id(entry.after)) : undefined
  const made = undoOf(command, entry, Date.now(), current)
  if ('sentence' in made) return { why: made.sentence, detail: null }
  const refused = whyNot(command, made.steps, current ?? entry.after)
  if (refused) return { why: refused, detail: null }
  const outcome: Outcome = await runSteps(
    command,
    made.steps,
    entry.after,
    { title: titleOf(`Undo ${entry.title.toLowerCase()}`, on, entry.after), sentence: () => '', undoneBy },
    sending(command),
  )
  if (outcome.kind === 'done') {
    if (on) putThings(on.name, [outcome.after])
    // As after the command: a plan of its own may touch more than its target.
    if (changes(command) && command.plan) refreshLists()
    return { after: outcome.after }
  }
  const stale = outcome.kind === 'refused' && outcome.problem.code === 'stale-version' && on
  const changed = stale ? `${on.title(entry.after)} has changed since; undo would overwrite that.` : null
  return { why: changed ?? outcome.sentence, detail: changed ? null : outcome.detail }
}

/** Why the first step may not be taken: permission, or an API that does not offer it; its state `undoOf` judges. */
function whyNot(command: Command, steps: readonly Step[], current: unknown): string | null {
  const situation = store.get(situationAtom)
  const [first] = steps
  if (!first) return null
  const { intent } = callOf(first, [])
  const about = targetOf(intent.needs, command, current)
  if (may(situation.held, intent.needs, about) === 'no') return lockedTo(situation.held, intent.needs, about)
  if (!situation.offers(intent.endpoint)) return notOffered
  return null
}
