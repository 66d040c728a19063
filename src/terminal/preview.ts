import { type AnyEndpoint, carried, fill } from '#contract/define.ts'
import { formatCents } from '#domain/money.ts'
import { changes, type Command, type PreviewRow, type Step, undoable } from '#kernel/command.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { undoSentence, warningOf } from '#kernel/undo-note.ts'
import { withShortDates } from '#portal/format/dates.ts'
import { shownBody } from '#terminal/field-values.ts'

/** A request that a command would send. */
export interface ShownCall {
  intent: string
  method: string
  path: string
  body: unknown
}

/** What a command would do, before anything is sent. */
export interface CommandPreview {
  changes: readonly PreviewRow[]
  lines: MoneyLines | null
  warning: string | null
  /** Whether it can be undone. */
  note: string
  calls: readonly (ShownCall | null)[]
}

/** The requests of steps; null for one that depends on the answers before it. Secrets are left out. */
export const shownCalls = (steps: readonly Step[]): (ShownCall | null)[] =>
  steps.map((step) => {
    if (typeof step === 'function' && !('intent' in step)) return null
    const { intent, at, body } = step as Exclude<Step, (answers: readonly unknown[]) => unknown>
    const endpoint: AnyEndpoint = intent.endpoint
    const sent = carried(endpoint, shownBody(intent.body, body) as Record<string, unknown>)
    const search = new URLSearchParams(sent.query).toString()
    return {
      intent: intent.id,
      method: endpoint.method,
      path: `${fill(endpoint.path, at)}${search ? `?${search}` : ''}`,
      body: sent.body,
    }
  })

interface PreviewOf {
  target: unknown
  params: Record<string, unknown>
  facts: unknown
  steps: readonly Step[]
  held: ReadonlySet<number>
  noUndo: string | null
}

/** The preview of a change with valid parameters. */
export function previewOf(command: Command, { target, params, facts, steps, held, noUndo }: PreviewOf): CommandPreview {
  const { preview } = changes(command) ? command : {}
  const note = undoSentence(command, noUndo === null && undoable(command, target, { params, facts }), held)
  return {
    changes: preview?.rows?.(target, params, facts) ?? [],
    lines: preview?.lines?.(target, params, facts) ?? null,
    warning: warningOf(command, target),
    note: noUndo && noUndo !== note ? `${note} ${noUndo}` : note,
    calls: shownCalls(steps),
  }
}

/** The preview in words, line by line. */
export function previewLines({ changes: rows, lines, warning, note, calls }: CommandPreview): string[] {
  const moved = lines?.lines.filter(({ moves }) => moves !== 0) ?? []
  return [
    ...rows.map(({ of, what, before, after }) => `${of} ${what}: ${withShortDates(before)} → ${withShortDates(after)}`),
    ...(rows.length ? [] : moved.map(({ title, before, after }) => `${title}: ${formatCents(before)} → ${formatCents(after)}`)),
    ...(lines?.sums.map(({ title, cents }) => `${title}: ${formatCents(cents)}`) ?? []),
    ...(lines?.hint ? [lines.hint] : []),
    ...(warning ? [warning] : []),
    note,
    ...calls.map((call) =>
      call
        ? `Would send ${call.method} ${call.path} ${JSON.stringify(call.body)}`
        : 'Would send more, which depends on the answers.',
    ),
  ]
}
