import { formatCents } from '#domain/money.ts'

/** An amount in cents; red if it is negative. */
export function Amount({ cents }: { cents: number }) {
  return cents < 0 ? <span className="text-bad">{formatCents(cents)}</span> : formatCents(cents)
}
