/** Cents that a change moves in one row, and cents that it leaves out of what the row is about: what is not approved is rejected. */
export interface Amounts {
  moved: number
  left: number
}

/** Of a change that moves all that its row is about. */
export const inFull = (moved: number): Amounts => ({ moved, left: 0 })

/** What rows come to together; of the first there is no sum before it. */
export const sumOf = (sum: Amounts | undefined, one: Amounts | undefined): Amounts | undefined =>
  sum && one ? { moved: sum.moved + one.moved, left: sum.left + one.left } : (one ?? sum)
