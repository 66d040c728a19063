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
  /** Fetches one command, with those of its noun; does nothing for one that is there, or that is none. Rejects when it does not come. */
  fetch: (command: string) => Promise<void>
  /** Fetches all. Rejects when some do not come. */
  all: () => Promise<void>
}

/** Fetches what the first list does without and registers it; without one, everything is there from the beginning. */
let load: (() => Promise<unknown>) | null = null
let loading: Promise<void> | null = null
let rest: RestOfCommands | null = null

/** True while loading the commands of the current context has failed and is being retried. */
export const commandsLostAtom = atom(false)

/** Called by `main.tsx`: how nouns, calls and the commands of no noun are fetched. */
export function provideEverything(fetch: () => Promise<unknown>): void {
  load = fetch
}

/** Called by `everything.ts`: how the commands of the nouns are fetched. */
export function provideRest(commands: RestOfCommands): void {
  rest = commands
}

/** False while only what the first list needs is loaded, or a command of the current context is missing. */
export const haveEverything = (): boolean => load === null && !rest?.missing()

/** Resolves when nouns, calls and what can be done here are registered; fetches them when nobody has. Rejects when they do not come. */
export const everything = (): Promise<void> => base().then(() => rest?.fetchForContext())

/** Resolves once a command is there, or is known to be none. Rejects when it does not come. */
export const commandArrives = (command: string): Promise<void> => base().then(() => rest?.fetch(command))

/** True while it is not known of a command what it does, or whether there is one. */
export const isComing = (command: string): boolean => load !== null || (rest?.isComing(command) ?? false)

/** Resolves once every command is there. Rejects when some do not come. */
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

/** A part that works on all of them: it is there once they are, too. Rejects when one of both does not come. */
export const withEverything = async <T>(part: Promise<T>): Promise<T> => (await Promise.all([part, everything()]))[0]
