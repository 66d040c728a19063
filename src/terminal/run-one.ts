import { Refusal } from '#kernel/api-client.ts'
import { availability } from '#kernel/availability.ts'
import { checkBefore, undoRefusal } from '#kernel/checks.ts'
import { changes, type Command, isIrreversible, type Step } from '#kernel/command.ts'
import { nameOf } from '#kernel/entity.ts'
import { interruptionText } from '#kernel/interruption.ts'
import type { Values } from '#kernel/form-values.ts'
import { planOf } from '#kernel/plan.ts'
import { runOne } from '#kernel/run.ts'
import { warningOf } from '#kernel/undo-note.ts'
import { confirmBy } from '#terminal/confirm.ts'
import { type Connection, contextOn, loadRecord, readRecord } from '#terminal/connection.ts'
import { type FillOptions, paramsOf, stopByMessages, type TypedForm, typedForm } from '#terminal/fill-form.ts'
import type { Invocation } from '#terminal/invocation.ts'
import { rememberChange } from '#terminal/last-change.ts'
import { type ResumedRun, resumeCalls, runId, senderOf, underWay } from '#terminal/pending.ts'
import { previewLines, previewOf } from '#terminal/preview.ts'
import { type Exit, exitOfOutcome, Stop, stopBy, stopByState } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

export interface RunOptions {
  connection: Connection
  streams: Streams
  invocation: Invocation
  /** The record, or the first of several that the command is run on together. */
  target: unknown
  together?: readonly unknown[]
}

/** What is sent: the parameters and the facts that they were checked against. */
interface Prepared {
  params: Values
  facts: unknown
  steps: readonly Step[]
}

/** Checks everything that the portal checks before it sends. Stops with its sentence. */
async function prepare(command: Command, form: TypedForm, given: FillOptions, { client }: Connection): Promise<Prepared> {
  const { context, target, together } = given
  const state = availability(command, context, target)
  if ('sentence' in state) throw stopByState(state)
  const params = await paramsOf(command, form, given)
  if (!changes(command)) return { params, facts: undefined, steps: [] }
  try {
    const refusal = target === undefined ? null : await checkBefore(command, target, client.read)
    if (refusal) throw new Stop('refused', refusal)
    const facts = await command.facts?.read(target, client.read, params, together)
    const wrong = command.form?.messages?.(target, params, facts) ?? []
    if (wrong.length) stopByMessages(form.fields, wrong)
    return { params, facts, steps: planOf(command, target, params, facts) }
  } catch (error) {
    throw stopBy(error, 'It could not be checked whether this is possible now.')
  }
}

/** Runs a change on one record, on several together, or without one; prints its result. Returns the exit code. */
export async function runChange(command: Command, options: RunOptions): Promise<Exit> {
  const { connection, streams, invocation, together } = options
  const { flags } = invocation
  const { on } = command
  const { client, context, me } = connection
  const givenOn = (target: unknown): FillOptions => ({
    ...{ connection, target, together, streams, today: me.business_date },
    context: on && target !== undefined ? contextOn(connection, on, target) : context,
  })
  const form = await typedForm(command, invocation, givenOn(options.target))
  const id = on && options.target !== undefined ? on.id(options.target) : null
  const typed = [form.typed, together?.map((row) => on?.id(row))]
  let { target } = options
  if (!flags.dryRun) {
    const run = runId(command.id, id, typed)
    const resumed = await resumeCalls(connection, streams, new Set([run]), flags.wait)
    const before = resumed.own.get(run)
    if (before) {
      rememberChange(connection, command, {}, [])
      return finishResumed(command, options, before)
    }
    if (resumed.some && on && id !== null) target = await loadRecord(connection, on, id)
  }
  const given = givenOn(target)
  const { params, facts, steps } = await prepare(command, form, given, connection)
  if (flags.dryRun) {
    const noUndo = await undoRefusal(command, target, client.read, client.supports)
    return printDryRun(command, options, { params, facts, steps, noUndo })
  }
  const warning = warningOf(command, target)
  if (warning) streams.note(warning)
  if (isIrreversible(command)) await confirmBy(on ? on.confirmWith(target) : command.title, flags, streams)
  const sender = senderOf(connection, streams, { typed, steps: steps.length, wait: flags.wait })
  underWay.sender = sender
  const io = { ...sender.io, reread: async (row: unknown) => (on ? readRecord(connection, on, on.id(row)) : row) }
  const outcome = await runOne(command, target, params, io, { keys: sender.keys, facts })
  underWay.sender = null
  if (outcome.kind === 'done') {
    rememberChange(connection, command, params, [{ id, ...outcome }])
    return printDone(command, { ...options, target }, outcome, params)
  }
  if (outcome.kind === 'failed' || outcome.interruption) rememberChange(connection, command, params, [])
  const exit = exitOfOutcome(outcome)
  const problem = outcome.kind === 'refused' ? outcome.problem : null
  const reason = problem && stopBy(new Refusal(problem)).detail
  const next = outcome.kind === 'failed' ? 'Run the same command again to find out: it happens once.' : reason
  throw new Stop(exit, outcome.sentence, [outcome.detail, next].filter(Boolean).join('\n') || null, problem?.code ?? null)
}

/** Reports the end of the same run that was interrupted: nothing of it is sent a second time. */
function finishResumed(command: Command, options: RunOptions, before: ResumedRun): Exit {
  const { streams } = options
  if (before.isWhole) {
    streams.note('It was sent before and is confirmed now; nothing was sent again.')
    return printDone(command, options, before)
  }
  streams.note(before.sentence)
  throw new Stop('inPart', 'Sent in part: an earlier run was interrupted.', interruptionText('in-part').detail)
}

/** The target of a command, as results name it. */
const targetOf = ({ on }: Command, target: unknown) =>
  on && target !== undefined ? { entity: on.name, id: on.id(target), title: nameOf(on, target) } : null

function printDryRun(
  command: Command,
  { connection, streams, invocation, target }: RunOptions,
  prepared: Prepared & { noUndo: string | null },
): Exit {
  const { params, facts, steps, noUndo } = prepared
  const { held } = connection.context
  const preview = previewOf(command, { target, params, facts, steps, held, noUndo })
  const about = targetOf(command, target)
  if (invocation.flags.json)
    streams.print(JSON.stringify({ dry_run: true, command: command.id, target: about, ...preview }, null, 2))
  else {
    streams.print([command.title, about?.title].filter(Boolean).join(': '))
    for (const line of previewLines(preview)) streams.print(`  ${line}`)
  }
  streams.note('Nothing is changed by this.')
  return 'done'
}

/** Prints what was done, and where a created record is. */
function printDone(
  command: Command,
  { connection, streams, invocation, target }: RunOptions,
  did: { sentence: string; after: unknown; before?: unknown; answers?: readonly unknown[] },
  params: Values = {},
): Exit {
  const { sentence, after, before = target, answers = [] } = did
  const opens = changes(command) && answers.length ? command.done.opens?.({ before, after, params, answers }) : undefined
  const address = opens ? `${connection.session.address}${opens}` : undefined
  if (invocation.flags.json) {
    const result = { command: command.id, target: targetOf(command, target), state: 'done', sentence, address, record: after }
    streams.print(JSON.stringify(result, null, 2))
  } else {
    streams.print(sentence)
    if (address) streams.note(address)
  }
  return 'done'
}
