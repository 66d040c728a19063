import { later } from '#portal/ui/later.tsx'

const fetchParts = async () => (await import('#portal/form/money/parts.ts')).parts

export const linesShown = later(async () => (await fetchParts()).LinesShown)
export const changed = later(async () => (await fetchParts()).Changed)
export const consequences = later(async () => (await fetchParts()).Consequences)
/** The lines with inputs; once they are there, so is everything else that a form of money is drawn of. */
export const linesField = later(async () => {
  await Promise.all([linesShown.fetch(), consequences.fetch()])
  return (await fetchParts()).LinesField
})
