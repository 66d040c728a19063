import { atom } from 'jotai/vanilla'

/**
 * Commands that load when their noun is in the context or one of them is chosen; provided by the chunk that follows the first
 * list.
 */
export interface RestOfCommands {
  /** True while a command of a noun in the context has not loaded. */
  missing: () => boolean
  /** Fetches the commands of the nouns in the context. Rejects when they do not arrive. */
  fetchForContext: () => Promise<void>
  isComing: (command: string) => boolean
  /** Fetches one command, with those of its noun; does nothing if it is loaded or unknown. Rejects if it does not arrive. */
  fetch: (command: string) => Promise<void>
  /** Fetches all commands. Rejects if some do not arrive. */
  all: () => Promise<void>
}

/** Fetches and registers what the first list does not need; null once loaded, or if there is nothing to load. */
let load: (() => Promise<unknown>) | null = null
let loading: Promise<void> | null = null
let rest: RestOfCommands | null = null

/** True while loading the commands of the current context has failed and is being retried. */
export const commandsLostAtom = atom(false)

/** Called by `main.tsx` with the loader of nouns, endpoints and general commands. */
export function provideEverything(fetch: () => Promise<unknown>): void {
  load = fetch
}

/** Called by `everything.ts` with the loader of the nouns' commands. */
export function provideRest(commands: RestOfCommands): void {
  rest = commands
}

/** False while only what the first list needs is loaded, or a command of the current context is missing. */
export const haveEverything = (): boolean => load === null && !rest?.missing()

/**
 * Resolves when nouns, endpoints and the commands of the current context are registered; starts loading if necessary. Rejects on
 * failure.
 */
export const everything = (): Promise<void> => base().then(() => rest?.fetchForContext())

/** Resolves once a command is loaded, or known not to exist. Rejects on failure. */
export const commandArrives = (command: string): Promise<void> => base().then(() => rest?.fetch(command))

/** True while a command is not loaded, or it is not known whether it exists. */
export const isComing = (command: string): boolean => load !== null || (rest?.isComing(command) ?? false)

/** Resolves once all commands are loaded. Rejects if some fail. */
export const allCommands = (): Promise<void> => base().then(() => rest?.all())

function base(): Promise<void> {
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
