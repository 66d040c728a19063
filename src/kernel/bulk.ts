import { changes, type Command } from '#kernel/command.ts'
import { type Outcome, type Over, type Reread, runOne } from '#kernel/run.ts'
import type { Sending } from '#kernel/send.ts'

/** How one row of a bulk run stands. */
export interface RowResult {
  id: string
  title: string
  state: 'waiting' | 'running' | 'done' | 'blocked' | 'failed' | 'stopped'
  sentence: string | null
  /** What became of it, where the session was over. */
  over?: Over
  /** What was done, for undoing it. */
  done?: { before: unknown; after: unknown; answers: readonly unknown[] }
}

/**
 * Runs a command over rows, four at a time, in their order. Reports every change; `stop` leaves the rows not yet begun.
 * A row that fails stops nothing.
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
  let next = 0
  let ended = false
  const worker = async () => {
    while (next < rows.length) {
      const index = next++
      if (stop.aborted || ended) {
        set(index, { state: 'stopped', ...(ended ? { over: 'not-sent' } : {}) })
        continue
      }
      set(index, { state: 'running' })
      const outcome = await withFacts(command, rows[index], params, io)
      // Without a session no further row can work: they wait to be tried again.
      if (outcome.kind === 'refused' && outcome.problem.status === 401) ended = true
      set(index, rowOf(outcome))
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, rows.length) }, worker))
  return results
}

/** A row whose facts could not be read is one that failed. Where nothing is sent of them they are only for a preview, which nobody sees. */
async function withFacts(
  command: Command,
  row: unknown,
  params: Record<string, unknown>,
  io: Sending & { reread: Reread },
): Promise<Outcome> {
  if (!changes(command) || !command.facts || !(command.plan || command.expects)) return runOne(command, row, params, io)
  try {
    return await runOne(command, row, params, io, { facts: await command.facts(row, io.wire.read, params) })
  } catch {
    return { kind: 'failed', sentence: command.failed(row), detail: null }
  }
}

function rowOf(outcome: Outcome): Partial<RowResult> {
  if (outcome.kind === 'done') {
    const { sentence, before, after, answers } = outcome
    return { state: 'done', sentence, done: { before, after, answers } }
  }
  const again = outcome.kind === 'failed' || outcome.problem.status === 401 || outcome.problem.code === 'stale-version'
  const over = outcome.kind === 'refused' && outcome.over ? { over: outcome.over } : {}
  return { state: again ? 'failed' : 'blocked', sentence: outcome.sentence, ...over }
}
