/** Common requests that the portal does not support, with the alternative. */
const unsupportedRequests: readonly (readonly [asked: RegExp, sentence: string])[] = [
  [/^re-?hire(?!\S)/i, 'Nobody is hired again here: who works for an employer comes from its files.'],
  [
    /^(?:void|delete|remove|cancel) (?:an? |the )?(?:invoice|inv)(?!\S)/i,
    'An invoice is not voided, cancelled or deleted. Close it, or suggest write-offs of its lines.',
  ],
]

/** The answer to an unsupported request; null for any other text. */
export const whyNotHere = (typed: string): string | null => unsupportedRequests.find(([asked]) => asked.test(typed))?.[1] ?? null
