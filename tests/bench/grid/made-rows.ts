import { firstNames, lastNames, pick, verbs } from '#tests/bench/made-names.ts'

/** A generated row: a unique number and ten cells. */
export interface MadeRow {
  id: number
  cells: readonly string[]
}

/** Headers of the ten cells. */
export const madeHeads = ['Id', 'First name', 'Last name', 'Role', 'City', 'Status', 'Salary', 'Start', 'Manager', 'Score']

/** The row at an index; deterministic. */
export const madeRow = (index: number): MadeRow => ({
  id: index,
  cells: [
    `R${index}`,
    pick(firstNames, index),
    pick(lastNames, index),
    `Role ${index % 97}`,
    `City ${index % 311}`,
    pick(verbs, index),
    String(30_000 + ((index * 37) % 90_000)),
    `20${10 + (index % 15)}-0${1 + (index % 9)}-1${index % 10}`,
    pick(lastNames, index * 7),
    String((index * 13) % 1000),
  ],
})
