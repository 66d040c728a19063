/** Sentences with their counts, most frequent first. */
export function countReasons(sentences: readonly string[]): { sentence: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  return [...counts].map(([sentence, count]) => ({ sentence, count })).sort((a, b) => b.count - a.count)
}

/** How many sentences were counted. */
export const countOf = (reasons: readonly { count: number }[]): number => reasons.reduce((sum, { count }) => sum + count, 0)
