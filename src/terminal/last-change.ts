import { join } from 'node:path'
import { z } from 'zod'
import { intentById } from '#contract/define.ts'
import { hasSecret } from '#contract/secrets.ts'
import { undoWindow } from '#domain/undo.ts'
import type { Command, Step } from '#kernel/command.ts'
import type { Values } from '#kernel/form-values.ts'
import { undoOf } from '#kernel/history.ts'
import { runSteps } from '#kernel/run.ts'
import { undoneFor, undoneSentence } from '#kernel/undo-note.ts'
import { confirmBy } from '#terminal/confirm.ts'
import { type Connection, loadRecord, readRecord } from '#terminal/connection.ts'
import type { Flags } from '#terminal/invocation.ts'
import { resumeCalls, runId, senderOf, underWay } from '#terminal/pending.ts'
import { shownCalls } from '#terminal/preview.ts'
import { commandById } from '#terminal/registry.ts'
import { slugOf } from '#terminal/session-file.ts'
import { type Exit, exitOfOutcome, Stop } from '#terminal/stop.ts'
import { folders, readPrivate, removeFile, writePrivate } from '#terminal/stored-files.ts'
import type { Streams } from '#terminal/streams.ts'

/** The command that takes back the last change, as the audit names it. */
export const undoCommand = 'session.undo'

const StoredStep = z.object({
  intent: z.string(),
  at: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
})
/** The calls that take back the last change, by record; or the run that does, or why it cannot be undone. */
const LastChange = z.object({
  at: z.number(),
  person: z.string(),
  command: z.string(),
  rows: z.array(z.object({ id: z.string().nullable(), calls: z.array(StoredStep) })),
  run: z.string().nullable(),
  why: z.string().nullable(),
})
type LastChange = z.infer<typeof LastChange>

const fileAt = (address: string): string => join(folders.state(), slugOf(address), 'last-change.json')
const fileOf = ({ session }: Connection): string => fileAt(session.address)

/** Removes what is stored of the last change at an address. */
export const forgetChange = (address: string): void => removeFile(fileAt(address))

/** One record that was changed, as the command's undo needs it. */
export interface ChangedRow {
  id: string | null
  before: unknown
  after: unknown
  answers: readonly unknown[]
}

/** The calls of steps as stored; null if one depends on an answer before it, or has a secret. */
function storable(steps: readonly Step[]): LastChange['rows'][number]['calls'] | null {
  const calls = steps.flatMap((step) => ('intent' in step ? [step] : []))
  if (calls.length < steps.length || calls.some(({ intent }) => hasSecret(intent.body))) return null
  return calls.map(({ intent, at, body }) => ({ intent: intent.id, at: { ...at }, body }))
}

/**
 * Stores how a change is taken back, for the time in which that is possible: the calls, with the values that they restore. A
 * change that cannot be undone, or whose outcome is unknown (no rows), replaces the one before it, too, which is no longer the last.
 */
export function rememberChange(connection: Connection, command: Command, params: Values, rows: readonly ChangedRow[]): void {
  const now = Date.now()
  const about = { at: now, title: command.title, params, undone: false }
  const whys: string[] = []
  const stored = rows.flatMap(({ id, ...row }) => {
    const made = undoOf(command, { ...about, ...row }, now, undefined)
    const calls = 'steps' in made ? storable(made.steps) : null
    if (calls) return [{ id, calls }]
    whys.push('sentence' in made ? made.sentence : `${command.title} is undone in the portal.`)
    return []
  })
  const why = stored.length ? null : (whys[0] ?? `${command.title} is undone in the portal.`)
  store(connection, { at: now, person: connection.me.person.id, command: command.id, rows: stored, run: null, why })
}

/** The same for a run on the server, which also undoes it. */
export const rememberRun = (connection: Connection, command: Command, run: string): void =>
  store(connection, { at: Date.now(), person: connection.me.person.id, command: command.id, rows: [], run, why: null })

const store = (connection: Connection, change: LastChange): void => writePrivate(fileOf(connection), change)

/** What `undo` takes back. Stops if there is nothing, or if it cannot be undone. */
function lastChange(connection: Connection): { change: LastChange; command: Command } {
  const stored = LastChange.safeParse(readPrivate(fileOf(connection), () => {})).data
  const command = stored && commandById(stored.command)
  if (!command || stored.person !== connection.me.person.id)
    throw new Stop('refused', 'There is nothing to undo.', 'What was done in the portal is undone there.')
  // The server knows when its run ended.
  if (stored.run === null && Date.now() - stored.at > undoWindow) {
    removeFile(fileOf(connection))
    throw new Stop('refused', 'Undo is possible for 10 minutes.')
  }
  if (stored.why !== null) throw new Stop('refused', stored.why)
  return { change: stored, command }
}

interface UndoOptions {
  connection: Connection
  streams: Streams
  flags: Flags
}

/**
 * Takes back the last change of this person from this computer, by a run of the server if that made it. Several records are
 * counted first, and the count confirmed. Returns the exit code.
 */
export async function undoLast(options: UndoOptions, undoRunOnServer: (run: string) => Promise<Exit>): Promise<Exit> {
  const { connection, streams, flags } = options
  const { change, command } = lastChange(connection)
  if (change.run !== null && !flags.dryRun) {
    const exit = await undoRunOnServer(change.run)
    removeFile(fileOf(connection))
    return exit
  }
  const rows = change.rows.map(({ id, calls }) => ({ id, steps: calls.flatMap(stepOf) }))
  if (flags.dryRun) {
    const calls = shownCalls(rows.flatMap(({ steps }) => steps))
    if (flags.json)
      streams.print(JSON.stringify({ dry_run: true, command: undoCommand, undoes: command.id, run: change.run, calls }, null, 2))
    else {
      streams.print(`Undo ${command.title.toLowerCase()}`)
      for (const call of calls) if (call) streams.print(`  ${call.method} ${call.path} ${JSON.stringify(call.body ?? {})}`)
    }
    streams.note('Nothing is changed by this.')
    return 'done'
  }
  if (rows.length > 1) await confirmBy(String(rows.length), flags, streams)
  return undoRows(command, change, rows, options)
}

const stepOf = ({ intent: id, at, body }: z.infer<typeof StoredStep>): Step[] => {
  const intent = intentById(id)
  return intent ? [{ intent, at, body }] : []
}

async function undoRows(
  command: Command,
  change: LastChange,
  rows: readonly { id: string | null; steps: readonly Step[] }[],
  { connection, streams, flags }: UndoOptions,
): Promise<Exit> {
  const { on } = command
  const runs = new Map(rows.map(({ id }) => [runId(undoCommand, id, change.at), id]))
  const { own, some } = await resumeCalls(connection, streams, new Set(runs.keys()), flags.wait)
  if (some && !own.size) throw new Stop('refused', 'A change without an answer was sent again. Look at it, then undo.')
  const before = new Set([...own.keys()].map((run) => runs.get(run)))
  let left = change.rows.filter(({ id }) => !before.has(id))
  let done = before.size
  const failed: string[] = []
  let title: string | undefined
  let exit: Exit = 'done'
  for (const { id, steps } of rows.filter((row) => !before.has(row.id))) {
    const target = on && id !== null ? await loadRecord(connection, on, id) : undefined
    title = on && target !== undefined ? on.title(target) : undefined
    const sender = senderOf(connection, streams, { typed: change.at, steps: steps.length, wait: flags.wait })
    const io = { ...sender.io, reread: async (row: unknown) => (on ? readRecord(connection, on, on.id(row)) : row) }
    const about = { title: `Undo ${command.title.toLowerCase()}`, sentence: () => '', keys: sender.keys, undoneBy: undoCommand }
    underWay.sender = sender
    const outcome = await runSteps(command, steps, target, about, io)
    underWay.sender = null
    if (outcome.kind !== 'done') {
      failed.push([title, outcome.sentence].filter(Boolean).join(': '))
      exit = exitOfOutcome(outcome)
      // What may still go through, or later, is kept for the next undo.
      if (outcome.kind === 'failed' || outcome.interruption) break
    } else done++
    left = left.filter((row) => row.id !== id)
  }
  if (left.length) store(connection, { ...change, rows: left })
  else removeFile(fileOf(connection))
  const sentence = rows.length > 1 ? undoneSentence(command, done, rows.length) : undoneFor(command, title)
  if (!failed.length) printUndone(sentence, command, { streams, flags })
  else if (rows.length === 1) throw new Stop(exit, failed[0] as string)
  else {
    for (const each of failed) streams.note(each)
    throw new Stop(done ? 'inPart' : exit, sentence)
  }
  return 'done'
}

function printUndone(sentence: string, command: Command, { streams, flags }: Pick<UndoOptions, 'streams' | 'flags'>): void {
  if (flags.json) streams.print(JSON.stringify({ command: undoCommand, undoes: command.id, state: 'done', sentence }, null, 2))
  else streams.print(sentence)
}
