import { formatCents } from '#domain/money.ts'
import type { States } from '#domain/status.ts'
import type { PreviewRow } from '#kernel/command.ts'

/** The row of a changed status; none if it is unchanged. */
export const statusRow = (of: string, states: States, before: string, after: string): PreviewRow[] =>
  before === after ? [] : [{ of, what: 'status', before: states.label(before), after: states.label(after) }]

/** The row of a changed amount, in cents; none if it is unchanged. */
export const amountRow = (of: string, what: string, before: number, after: number): PreviewRow[] =>
  before === after ? [] : [{ of, what, before: formatCents(before), after: formatCents(after) }]
