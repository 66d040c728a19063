/** Cents that a change moves in one row, and cents of the row that it leaves out: what is not approved is rejected. */
export interface Amounts {
  moved: number
  left: number
}

/** For a change that moves the whole amount of its row. */
export const inFull = (moved: number): Amounts => ({ moved, left: 0 })

/** Adds the amounts of rows; `sum` is undefined for the first one. */
export const sumOf = (sum: Amounts | undefined, one: Amounts | undefined): Amounts | undefined =>
  sum && one ? { moved: sum.moved + one.moved, left: sum.left + one.left } : (one ?? sum)
