import { changes, type Command, failureOf } from '#kernel/command.ts'
import { inParallel } from '#kernel/in-parallel.ts'
import type { Interruption } from '#kernel/interruption.ts'
import { planOf } from '#kernel/plan.ts'
import { touched } from '#kernel/outbox.ts'
import { type Outcome, type Reread, runOne } from '#kernel/run.ts'
import type { Sending } from '#kernel/send.ts'

/** State of one row of a bulk run. */
export interface RowResult {
  id: string
  title: string
  state: 'waiting' | 'running' | 'done' | 'blocked' | 'failed' | 'stopped'
  sentence: string | null
  /** How it ended if the session expired. */
  interruption?: Interruption
  /** What was done; needed for undo. */
  done?: { before: unknown; after: unknown; answers: readonly unknown[] }
}

/**
 * Runs a command over rows in order, four at a time. A row that touches the same records as another unfinished row, of any run,
 * waits for it. Reports every change. `stop` skips the rows that have not started. A failed row does not stop the others.
 */
export async function runMany(
  command: Command,
  rows: readonly unknown[],
  params: Record<string, unknown>,
  io: Sending & { reread: Reread },
  report: (results: readonly RowResult[]) => void,
  stop: AbortSignal,
): Promise<readonly RowResult[]> {
  if (!command.on) throw new Error(`The command ${command.id} has no target.`)
  const entity = command.on
  let results: RowResult[] = rows.map((row) => ({
    id: entity.id(row),
    title: entity.title(row),
    state: 'waiting',
    sentence: null,
  }))
  const set = (index: number, change: Partial<RowResult>) => {
    results = results.with(index, { ...(results[index] as RowResult), ...change })
    report(results)
  }
  report(results)
  let ended = false
  const finished: string[] = []
  const isStopped = () => stop.aborted || ended
  await inParallel(rows, 4, async (row, index) => {
    if (!isStopped()) set(index, { state: 'running' })
    const outcome = isStopped() ? null : await runExclusively(command, row, params, io, finished, isStopped)
    if (!outcome) return set(index, { state: 'stopped', ...(ended ? { interruption: 'not-sent' } : {}) })
    // Without a session no further row can succeed; they stay pending until a retry.
    if (outcome.kind === 'refused' && outcome.problem.status === 401) ended = true
    set(index, rowOf(outcome))
  })
  return results
}

/** Records that running rows touch, each with a promise that settles when the row has finished. */
const lockedRecords = new Map<string, Promise<unknown>>()

/**
 * Runs one row once no other row holds its records; with the versions read before that, it would be refused. Returns null if
 * `isStopped` says meanwhile that no further row may start. `finished` are the records of the finished rows of this run, in order.
 */
async function runExclusively(
  command: Command,
  row: unknown,
  params: Record<string, unknown>,
  io: Sending & { reread: Reread },
  finished: string[],
  isStopped: () => boolean,
): Promise<Outcome | null> {
  for (;;) {
    const from = finished.length
    const facts = await factsOf(command, row, params, io)
    if (facts === null) return { kind: 'failed', sentence: failureOf(command, row), detail: null }
    const records = recordsOf(command, row, params, facts.value)
    const others = records.flatMap((record) => lockedRecords.get(record) ?? [])
    // Facts that were read while another row finished may contain its records in their old state.
    const isStale = records.some((record) => finished.includes(record, from))
    if (others.length === 0 && !isStale) {
      const outcome = runOne(command, row, params, io, { facts: facts.value })
      const over = outcome
        .catch(() => {})
        .then(() => {
          for (const record of records) lockedRecords.delete(record)
          finished.push(...records)
        })
      for (const record of records) lockedRecords.set(record, over)
      return outcome.finally(() => over)
    }
    await Promise.all(others)
    if (isStopped()) return null
  }
}

/** Records that the calls of a row expect unchanged. Steps that depend on an answer are not known yet. */
function recordsOf(command: Command, row: unknown, params: Record<string, unknown>, facts: unknown): string[] {
  const { on } = command
  const target = on ? { entity: on.name, id: on.id(row) } : null
  return planOf(command, row, params, facts).flatMap((step) => ('body' in step ? touched({ target, body: step.body }) : []))
}

/**
 * Fetches what a row needs to be sent; null if it could not be read. If nothing is sent, the facts are only for a preview that
 * is not shown.
 */
async function factsOf(
  command: Command,
  row: unknown,
  params: Record<string, unknown>,
  io: Sending,
): Promise<{ value: unknown } | null> {
  if (!changes(command) || !command.facts || !(command.plan || command.facts.expects)) return { value: undefined }
  try {
    return { value: await command.facts.read(row, io.apiClient.read, params) }
  } catch {
    return null
  }
}

function rowOf(outcome: Outcome): Partial<RowResult> {
  if (outcome.kind === 'done') {
    const { sentence, before, after, answers } = outcome
    return { state: 'done', sentence, done: { before, after, answers } }
  }
  const canRetry = outcome.kind === 'failed' || outcome.problem.status === 401 || outcome.problem.code === 'stale-version'
  const interruption = outcome.kind === 'refused' && outcome.interruption ? { interruption: outcome.interruption } : {}
  return { state: canRetry ? 'failed' : 'blocked', sentence: outcome.sentence, ...interruption }
}
