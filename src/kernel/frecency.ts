const hour = 3_600_000
const day = 24 * hour

/** Timestamps of use by key, newest first, at most ten each. */
export type Uses = Readonly<Record<string, readonly number[]>>

/** Points of one use by age: 3 hours 100, a day 80, three days 60, a week 30, two weeks 10. */
const points = (age: number): number =>
  age <= 3 * hour ? 100 : age <= day ? 80 : age <= 3 * day ? 60 : age <= 7 * day ? 30 : age <= 14 * day ? 10 : 0

/** Score by how often and how recently a key was used. */
export const frecency = (uses: Uses, key: string, now: number): number =>
  (uses[key] ?? []).reduce((sum, at) => sum + points(now - at), 0)

/** Precomputed scores: a keystroke reads thousands of them. */
export function scores(uses: Uses, now: number): (key: string) => number {
  const known = new Map(Object.keys(uses).map((key) => [key, frecency(uses, key, now)]))
  return (key) => known.get(key) ?? 0
}

/** Adds one use; keeps the 300 most recently used keys. */
export function used(uses: Uses, key: string, now: number): Uses {
  const next = { ...uses, [key]: [now, ...(uses[key] ?? [])].slice(0, 10) }
  const kept = Object.entries(next).sort(([, a], [, b]) => (b[0] ?? 0) - (a[0] ?? 0))
  return Object.fromEntries(kept.slice(0, 300))
}
