import { later } from '#portal/ui/later.tsx'

const fetchParts = async () => (await import('#portal/form/money/parts.ts')).parts

export const linesShown = later(async () => (await fetchParts()).LinesShown)
export const sums = later(async () => (await fetchParts()).Sums)
export const changed = later(async () => (await fetchParts()).Changed)
export const consequences = later(async () => (await fetchParts()).Consequences)
/** The lines with inputs; waits for everything else that a form about amounts renders. */
export const linesField = later(async () => {
  await Promise.all([linesShown.fetch(), consequences.fetch(), sums.fetch()])
  return (await fetchParts()).LinesField
})
