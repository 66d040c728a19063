import { formatCents } from '#domain/money.ts'
import type { States } from '#domain/status.ts'
import type { PreviewRow } from '#kernel/command.ts'

/** The row of a status that changes; none where it stays. */
export const statusRow = (of: string, states: States, before: string, after: string): PreviewRow[] =>
  before === after ? [] : [{ of, what: 'status', before: states.label(before), after: states.label(after) }]

/** The row of an amount that changes, in cents; none where it stays. */
export const amountRow = (of: string, what: string, before: number, after: number): PreviewRow[] =>
  before === after ? [] : [{ of, what, before: formatCents(before), after: formatCents(after) }]
