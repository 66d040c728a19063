/** Fetches what the first list does without and registers it; without one, everything is there from the beginning. */
let load: (() => Promise<unknown>) | null = null
let loading: Promise<void> | null = null

/** Called by `main.tsx`: how every command, noun and call is fetched. */
export function provideEverything(fetch: () => Promise<unknown>): void {
  load = fetch
}

/** False while only what the first list needs is there. */
export const haveEverything = (): boolean => load === null

/** Resolves when every command, noun and call is registered; fetches them when nobody has. Rejects when they do not come. */
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

/** A part that works on all of them: it is there once they are, too. Rejects when one of both does not come. */
export const withEverything = async <T>(part: Promise<T>): Promise<T> => (await Promise.all([part, everything()]))[0]
