import { formatCents } from '#domain/money.ts'

/** An amount in cents; a dash without one. */
export const amountText = (cents: number | null | undefined): string => (cents == null ? '—' : formatCents(cents))

/** The text, or a dash if it is empty. */
export const orDash = (text: string | number | null | undefined): string =>
  text === null || text === undefined || text === '' ? '—' : String(text)
