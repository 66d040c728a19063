import { formatCents } from '#domain/money.ts'

/** An amount in cents; below zero it also has the colour of what is wrong. */
export function Amount({ cents }: { cents: number }) {
  return cents < 0 ? <span className="text-bad">{formatCents(cents)}</span> : formatCents(cents)
}
