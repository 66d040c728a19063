import { getRun, type Run, startRun } from '#contract/runs.ts'
import { countOf, countReasons } from '#domain/reasons.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import { availability } from '#kernel/availability.ts'
import { type RowResult, runMany } from '#kernel/bulk.ts'
import { checkBefore } from '#kernel/checks.ts'
import { bulkOf, changes, type Command } from '#kernel/command.ts'
import { bulkable, isOneIntent, localLimit, maxValidated } from '#kernel/dry-run.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Values } from '#kernel/form-values.ts'
import { inParallel } from '#kernel/in-parallel.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { amountWords, foretell } from '#kernel/run-amounts.ts'
import { untilAnswered } from '#kernel/send.ts'
import { overSeveral } from '#kernel/several.ts'
import { warningsOf } from '#kernel/undo-note.ts'
import { confirmBy } from '#terminal/confirm.ts'
import { type Connection, loadRecord, readRecord } from '#terminal/connection.ts'
import { paramsOf, typedForm } from '#terminal/fill-form.ts'
import type { Invocation } from '#terminal/invocation.ts'
import { rememberChange, rememberRun } from '#terminal/last-change.ts'
import { type ResumedRun, resumeCalls, runId, senderOf, underWay } from '#terminal/pending.ts'
import { runChange } from '#terminal/run-one.ts'
import { type Exit, Stop, stopBy, stopByState } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

interface RunManyOptions {
  connection: Connection
  streams: Streams
  invocation: Invocation
  ids: readonly string[]
}

/** A command on records of a noun. */
type CommandOn = Command & { on: AnyEntity }

/** Number of records that are read in parallel, and milliseconds between two looks at a run of the server. */
const maxReads = 6
const pollInterval = 600

interface Counted {
  eligible: number
  blocked: number
  reasons: readonly { sentence: string; count: number }[]
  amounts: Run['amounts'] | null
}

/** Runs a change on several records, after a dry run whose count is confirmed. Returns the exit code. */
export async function runOnSeveral(command: CommandOn, options: RunManyOptions): Promise<Exit> {
  const { connection, ids } = options
  const { on } = command
  const state = availability(command, connection.context)
  if ('sentence' in state) throw stopByState(state)
  if (bulkOf(command)?.together) return runTogether(command, options)
  if (!bulkable(command)) throw new Stop('usage', `${command.title} is done to one ${on.one} at a time.`)
  if (ids.length > localLimit && isOneIntent(command) && connection.client.supports(startRun))
    return runOnServer(command, options)
  if (ids.length > maxValidated) throw new Stop('usage', `This is done to at most ${maxValidated} ${on.many} at a time.`)
  return runHere(command, options)
}

async function readRows({ connection, ids }: RunManyOptions, on: AnyEntity): Promise<unknown[]> {
  try {
    return await inParallel(ids, maxReads, (id) => loadRecord(connection, on, id))
  } catch (error) {
    throw stopBy(error, 'The rows could not be loaded.')
  }
}

/** Several records as one change, such as a repayment of several invoices. */
async function runTogether(command: CommandOn, options: RunManyOptions): Promise<Exit> {
  const { connection, streams, ids } = options
  const { on } = command
  const selection = { ids, filter: null, count: ids.length }
  const early = overSeveral(command, selection, [], connection.context)
  if ('sentence' in early.state) throw stopByState(early.state)
  const { state, validated } = overSeveral(command, selection, await readRows(options, on), connection.context)
  if ('sentence' in state) throw stopByState(state)
  for (const { row, sentence } of validated?.blocked ?? []) streams.note(`Left out: ${on.title(row)}: ${sentence}`)
  const together = validated?.eligible ?? []
  return runChange(command, { ...options, target: together[0], together })
}

const lineOf = ({ eligible, blocked, amounts }: Counted): string =>
  [
    `${wholeNumber(eligible)} eligible`,
    ...(blocked ? [`${wholeNumber(blocked)} blocked`] : []),
    ...(amounts ? [`${formatCents(amounts.moved)} in all`] : []),
  ].join(', ')

/** Shows what a run would do. True if it may start: there is something to do, this is no dry run, and the count is confirmed. */
async function isConfirmed(command: Command, counted: Counted, params: Values, options: RunManyOptions): Promise<boolean> {
  const { streams, invocation } = options
  const { flags } = invocation
  if (flags.dryRun && flags.json) {
    streams.print(JSON.stringify({ dry_run: true, command: command.id, ...counted, params }, null, 2))
    return false
  }
  const say = flags.dryRun ? streams.print : streams.note
  say(`${command.title}: ${lineOf(counted)}`)
  for (const { sentence, count } of counted.reasons) say(`  ${wholeNumber(count)}: ${sentence}`)
  // The server lists the reasons of the first ones only.
  const unlisted = counted.blocked - countOf(counted.reasons)
  if (counted.reasons.length && unlisted > 0) say(`  ${wholeNumber(unlisted)}: others`)
  if (counted.amounts) say(`  ${amountWords(command, params, counted.amounts)}`)
  if (flags.dryRun) return false
  if (!counted.eligible) throw new Stop('refused', 'None of them is eligible.')
  await confirmBy(String(counted.eligible), flags, streams)
  return true
}

/** The result of each row, and the sum of them. */
function printRows(command: Command, rows: readonly RowResult[], total: number, { streams, invocation }: RunManyOptions): Exit {
  const done = rows.filter(({ state }) => state === 'done').length
  const sentence = `${command.title}: ${wholeNumber(done)} of ${wholeNumber(total)} done`
  if (invocation.flags.json) {
    const results = rows.map(({ id, title, state, sentence: why }) => ({ id, title, state, sentence: why }))
    streams.print(JSON.stringify({ command: command.id, done, total, sentence, rows: results }, null, 2))
  } else {
    for (const { id, title, state, sentence: why } of rows) streams.print([id, state, why ?? title].join('\t'))
    streams.note(sentence)
  }
  return done === total ? 'done' : 'inPart'
}

/** For few records: each is checked and sent from here. */
async function runHere(command: CommandOn, options: RunManyOptions): Promise<Exit> {
  const { connection, streams, invocation } = options
  const { client, context, me } = connection
  const { on } = command
  const given = { connection, context, today: me.business_date, streams }
  const form = await typedForm(command, invocation, given)
  const { typed } = form
  const own = new Map(options.ids.map((id) => [runId(command.id, id, typed), id]))
  const { dryRun, wait } = invocation.flags
  const resumed: ReadonlyMap<string, ResumedRun> = dryRun
    ? new Map()
    : (await resumeCalls(connection, streams, new Set(own.keys()), wait)).own
  const before = [...resumed].map(([run, { sentence, after }]): RowResult => {
    const id = own.get(run) ?? ''
    return { id, title: after === undefined ? id : on.title(after), state: 'done', sentence }
  })
  const params = await paramsOf(command, form, given)
  const left = options.ids.filter((id) => !before.some((row) => row.id === id))
  const rows = await readRows({ ...options, ids: left }, on)
  const refused = new Map<unknown, string>()
  await inParallel(rows, maxReads, async (row) => {
    if ('sentence' in availability(command, context, row)) return
    const why = await checkBefore(command, row, client.read).catch((error: unknown) => {
      throw stopBy(error)
    })
    if (why) refused.set(row, why)
  })
  const { eligible, blocked, reasons, amounts } = foretell(command, rows, params, context, refused)
  const warning = warningsOf(command, eligible)
  if (warning) streams.note(warning)
  if (!(await isConfirmed(command, { eligible: eligible.length, blocked: blocked.length, reasons, amounts }, params, options)))
    return 'done'
  const sender = senderOf(connection, streams, { typed, steps: 1, wait })
  underWay.sender = sender
  const io = { ...sender.io, reread: (row: unknown) => readRecord(connection, on, on.id(row)) }
  const results = await runMany(command, eligible, params, io, () => {}, new AbortController().signal)
  underWay.sender = null
  const changed = results.flatMap(({ id, done }) => (done ? [{ id, ...done }] : []))
  if (changed.length) rememberChange(connection, command, params, changed)
  const left_out = blocked.map(
    ({ row, sentence }): RowResult => ({ id: on.id(row), title: on.title(row), state: 'blocked', sentence }),
  )
  const exit = printRows(command, [...before, ...results, ...left_out], before.length + eligible.length, options)
  const isOver = results.some(({ interruption }) => interruption !== undefined)
  return isOver ? 'signedOut' : exit
}

const intentOf = (command: Command, params: Values) => {
  const [intent] = changes(command) ? command.does : []
  if (!intent) throw new Error(`The command ${command.id} changes nothing.`)
  return { intent: intent.id, command: command.id, body: { ...intent.fixed, ...params } }
}

/** For many records the server counts, and carries the run out by itself. */
async function runOnServer(command: CommandOn, options: RunManyOptions): Promise<Exit> {
  const { connection, streams, invocation, ids } = options
  const { client, context, me } = connection
  const given = { connection, context, today: me.business_date, streams }
  const params = await paramsOf(command, await typedForm(command, invocation, given), given)
  const body = { ...intentOf(command, params), targets: { ids: ids.map(Number) } }
  try {
    const forecast = (await client.post(startRun, {}, { ...body, dry_run: true })) as Run
    const { waiting, blocked, problems, amounts = null } = forecast
    const reasons = countReasons(problems.flatMap(({ message }) => message ?? []))
    if (!(await isConfirmed(command, { eligible: waiting, blocked, reasons, amounts }, params, options))) return 'done'
    const { io } = senderOf(connection, streams, { typed: null, steps: 1, wait: invocation.flags.wait })
    const start = { ...body, eligible: waiting, moved: amounts?.moved }
    const key = io.newKey()
    const started = (await untilAnswered(() => client.post(startRun, {}, start, { key, command: command.id }), io.wait)) as Run
    underWay.run = started.id
    rememberRun(connection, command, started.id)
    return await follow(command, started, waiting, options)
  } catch (error) {
    throw stopBy(error, 'The server did not answer.')
  }
}

/** That a run on the server does not end with this program, and how to look at it. */
export const runGoesOn = (run: string): string =>
  `The system carries it out. Look at it with: npm run portal -- session.run --run ${run}`

async function follow(command: Command, started: Run, confirmed: number, options: RunManyOptions): Promise<Exit> {
  const { client } = options.connection
  let run = started
  while (run.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
    const { io } = senderOf(options.connection, options.streams, { typed: null, steps: 1, wait: options.invocation.flags.wait })
    run = (await untilAnswered(() => client.read(getRun, { id: started.id }), io.wait).catch((error: unknown) => {
      const { exit } = stopBy(error)
      throw new Stop(exit === 'signedOut' ? exit : 'unknown', 'The run could not be loaded.', runGoesOn(started.id))
    })) as Run
  }
  underWay.run = null
  const rows = run.problems.map(
    (row): RowResult => ({ id: row.target_id, title: row.title, state: row.state, sentence: row.message }),
  )
  const sentence = `${command.title}: ${pluralize(run.done, command.on)} done`
  if (options.invocation.flags.json) options.streams.print(JSON.stringify({ command: command.id, sentence, run }, null, 2))
  else {
    for (const { id, title, state, sentence: why } of rows) options.streams.print([id, state, why ?? title].join('\t'))
    options.streams.print(sentence)
  }
  return run.done === confirmed ? 'done' : 'inPart'
}
