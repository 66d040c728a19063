import { may, type Need } from '#domain/permissions.ts'
import { formatCents } from '#domain/money.ts'

/** An amount in cents; a dash without one. */
export const amountText = (cents: number | null | undefined): string => (cents == null ? '—' : formatCents(cents))

/** The text, or a dash if it is empty. */
export const orDash = (text: string | number | null | undefined): string =>
  text === null || text === undefined || text === '' ? '—' : String(text)

/** What a cell says that is masked for the person. */
export const maskedText = 'Hidden'

/** Whether a column is masked for somebody with these permissions. */
export const isMasked = ({ needs }: { readonly needs?: Need | undefined }, held: ReadonlySet<number>): boolean =>
  needs !== undefined && may(held, needs) !== 'yes'
