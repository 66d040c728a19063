import { formatCents } from '#domain/money.ts'

/** An amount in cents; the dash of an empty cell without one. */
export const amountText = (cents: number | null | undefined): string => (cents == null ? '—' : formatCents(cents))

/** The dash of an empty cell where there is nothing. */
export const orDash = (text: string | number | null | undefined): string =>
  text === null || text === undefined || text === '' ? '—' : String(text)
