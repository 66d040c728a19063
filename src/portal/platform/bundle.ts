/** Loads and registers what the first list does not need; null once loaded, or if there is nothing to load. */
let load: (() => Promise<unknown>) | null = null
let loading: Promise<void> | null = null

/** Called by `main.tsx` with the loader of nouns, endpoints and commands. */
export function provideEverything(fetch: () => Promise<unknown>): void {
  load = fetch
}

/** False while only what the first list needs is loaded. */
export const haveEverything = (): boolean => load === null

/** Resolves when nouns, endpoints and commands are registered; starts loading if necessary. Rejects on failure. */
export function everything(): Promise<void> {
  if (!load) return Promise.resolve()
  loading ??= load().then(
    () => {
      load = null
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** Loads a part that needs everything: resolves when both are loaded. Rejects if either fails. */
export const withEverything = async <T>(part: Promise<T>): Promise<T> => (await Promise.all([part, everything()]))[0]
