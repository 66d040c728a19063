/** Minimum length of words that are corrected: shorter ones are similar to too many others. */
const minCorrectedLength = 4

/** Typing errors tolerated in a word of this length: one up to 5 letters, two in longer words, none in shorter ones. */
export const maxTypingErrors = (length: number): number => (length < minCorrectedLength ? 0 : length <= 5 ? 1 : 2)

/**
 * Number of typing errors between two words (optimal string alignment distance): insertion, deletion, replacement and
 * transposition of neighbouring letters count as one each.
 */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        best = Math.min(best, at(beforeLast, j - 2) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return at(last, other.length)
}

const at = (row: readonly number[], index: number): number => row[index] as number
