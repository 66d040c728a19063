import { formatCents } from '#domain/money.ts'
import { labelOf } from '#domain/status.ts'
import type { PreviewRow } from '#kernel/command.ts'

/** The row of a status that changes; none where it stays. */
export const statusRow = (of: string, before: string, after: string): PreviewRow[] =>
  before === after ? [] : [{ of, what: 'status', before: labelOf(before), after: labelOf(after) }]

/** The row of an amount that changes, in cents; none where it stays. */
export const amountRow = (of: string, what: string, before: number, after: number): PreviewRow[] =>
  before === after ? [] : [{ of, what, before: formatCents(before), after: formatCents(after) }]
