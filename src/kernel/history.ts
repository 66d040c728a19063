import type { AnyIntent } from '#contract/define.ts'
import { undoWindow } from '#domain/undo.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'
import { callOf } from '#kernel/plan.ts'

/** One thing a person did in this session. */
export interface HistoryEntry {
  id: string
  at: number
  command: string
  title: string
  /** The sentence that was said: 'Paused Benjamin Ortiz'. */
  sentence: string
  target: { entity: string; id: string; title: string } | null
  /** Of what was done to several things together: all of them, of which `target` is the first. */
  together?: readonly string[]
  params: Record<string, unknown>
  before: unknown
  after: unknown
  answers: readonly unknown[]
  undone: boolean
  /** The sentence that refused its undo for good, since the thing has changed: what was done before it is undone next. */
  refused?: string | undefined
  /** It was told that it cannot be undone as things stand: what was done before it is undone next (D527). */
  passed?: boolean
  /** Why it could not be undone when it was done, though an undo stands behind the command. */
  noUndo?: string
  /** Of one that was undone: the run that did so, where it was one, and how many it left as they are. */
  undoneBy?: string
  kept?: number
  /** Of several things: the run that did it, and, where the server did, until when it undoes that in one go. */
  run?: string
  undoUntil?: number
  /** Of a run over several things by this page: each that was done. `before`, `after` and `answers` above are then empty. */
  rows?: readonly { before: unknown; after: unknown; answers: readonly unknown[] }[]
  /** Of such a run: whether it still goes on, or the page was left in the middle of it and nobody was told yet (D541). */
  goes?: 'on' | 'broken-off' | undefined
}

/** The steps that undo an entry, or the sentence why not. `current` is the thing as the portal knows it now. */
export function undoOf(
  command: Command,
  entry: Pick<HistoryEntry, 'noUndo' | 'at' | 'title' | 'params' | 'before' | 'after' | 'answers' | 'undone'>,
  now: number,
  current: unknown,
): { steps: readonly Step[] } | { sentence: string } {
  const instead = changes(command) && command.undoAlternative?.(entry.params)
  const never = { sentence: `${entry.title} cannot be undone.${instead ? ` ${instead}` : ''}` }
  if (!changes(command) || !command.undo) return never
  if (entry.undone) return { sentence: 'Already undone.' }
  if (entry.noUndo) return { sentence: entry.noUndo }
  if (now - entry.at > undoWindow) return { sentence: 'Undo is possible for 10 minutes.' }
  if (command.on && entry.before === undefined) return never
  if (command.on && current !== undefined && command.on.version(current) !== command.on.version(entry.after))
    return { sentence: `${command.on.title(current)} has changed since; undo would overwrite that.` }
  // Of the same version; what follows from other things, as credit that was used, is as of now.
  const after = command.on && current !== undefined ? current : entry.after
  const steps = command.undo({ before: entry.before, after, params: entry.params, answers: entry.answers })
  if (!steps) return never
  const refusal = forbidden(command.does, steps, after)
  return refusal ? { sentence: refusal } : { steps }
}

/** Why the state of the thing forbids the first step; an intent of another noun knows nothing of this thing. */
function forbidden(does: readonly AnyIntent[], [first]: readonly Step[], record: unknown): string | null {
  if (!first || !record) return null
  const { intent } = callOf(first, [])
  return does.some(({ endpoint }) => endpoint.tag === intent.endpoint.tag) ? (intent.refuses(record)?.sentence ?? null) : null
}
