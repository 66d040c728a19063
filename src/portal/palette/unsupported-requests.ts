/** What people ask for that nothing here does, and what is done instead. */
const unsupportedRequests: readonly (readonly [asked: RegExp, sentence: string])[] = [
  [/^re-?hire(?!\S)/i, 'Nobody is hired again here: who works for an employer comes from its files.'],
  [
    /^(?:void|delete|remove|cancel) (?:an? |the )?(?:invoice|inv)(?!\S)/i,
    'An invoice is not voided, cancelled or deleted. Close it, or suggest write-offs of its lines.',
  ],
]

/** What is said of something that nothing here does; null for what can be done. */
export const whyNotHere = (typed: string): string | null => unsupportedRequests.find(([asked]) => asked.test(typed))?.[1] ?? null
