import type { AnyIntent } from '#contract/define.ts'
import { undoWindow } from '#domain/undo.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'
import { callOf } from '#kernel/plan.ts'

/** One action of the person in this session. */
export interface HistoryEntry {
  id: string
  at: number
  command: string
  title: string
  /** The confirmation shown: 'Paused Benjamin Ortiz'. */
  sentence: string
  target: { entity: string; id: string; title: string } | null
  /** For a command with `together`: all targets, of which `target` is the first. */
  together?: readonly string[]
  params: Record<string, unknown>
  before: unknown
  after: unknown
  answers: readonly unknown[]
  undone: boolean
  /** Why its undo was refused for good, since the record has changed: undo continues with the entry before it. */
  refused?: string | undefined
  /** Undo has already reported that it cannot be undone in the current state, so the next undo skips it. */
  passed?: boolean
  /** Why it could not be undone when it ran, though the command has an undo. */
  noUndo?: string
  /** For an undone run: the run that undid it, and how many rows it left unchanged. */
  undoneBy?: string
  kept?: number
  /** For several records: the run and, if the server executed it, until when the server can undo it as a whole. */
  run?: string
  undoUntil?: number
  /** For a run executed by this page: the successful rows. `before`, `after` and `answers` above are then empty. */
  rows?: readonly { before: unknown; after: unknown; answers: readonly unknown[] }[]
  /** For such a run: whether it is still in progress, or was interrupted by leaving the page and not yet reported. */
  goes?: 'on' | 'broken-off' | undefined
}

/** The steps that undo an entry, or the reason why not. `current` is the record as last known to the portal. */
export function undoOf(
  command: Command,
  entry: Pick<HistoryEntry, 'noUndo' | 'at' | 'title' | 'params' | 'before' | 'after' | 'answers' | 'undone'>,
  now: number,
  current: unknown,
): { steps: readonly Step[] } | { sentence: string } {
  const instead = changes(command) && command.undo?.alternative?.(entry.params)
  const never = { sentence: `${entry.title} cannot be undone.${instead ? ` ${instead}` : ''}` }
  if (!changes(command) || !command.undo?.steps) return never
  if (entry.undone) return { sentence: 'Already undone.' }
  if (entry.noUndo) return { sentence: entry.noUndo }
  if (now - entry.at > undoWindow) return { sentence: 'Undo is possible for 10 minutes.' }
  if (command.on && entry.before === undefined) return never
  if (command.on && current !== undefined && command.on.version(current) !== command.on.version(entry.after))
    return { sentence: `${command.on.title(current)} has changed since; undo would overwrite that.` }
  // Same version, but derived values, such as used credit, are as of now.
  const after = command.on && current !== undefined ? current : entry.after
  const steps = command.undo.steps({ before: entry.before, after, params: entry.params, answers: entry.answers })
  if (!steps) return never
  const refusal = forbidden(command.does, steps, after)
  return refusal ? { sentence: refusal } : { steps }
}

/** Why the state of the record forbids the first step. Intents of another noun cannot be checked against it. */
function forbidden(does: readonly AnyIntent[], [first]: readonly Step[], record: unknown): string | null {
  if (!first || !record) return null
  const { intent } = callOf(first, [])
  return does.some(({ endpoint }) => endpoint.tag === intent.endpoint.tag) ? (intent.refuses(record)?.sentence ?? null) : null
}
