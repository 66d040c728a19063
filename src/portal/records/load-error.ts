import { atom } from 'jotai/vanilla'
import { giveUp } from '#portal/keyboard/hold.ts'
import { store } from '#portal/platform/store.ts'

/** A failed page load: the modal offers Back and Reload (SCR-076). */
export interface LoadError {
  /** 'Employee 104234 could not be loaded.' */
  sentence: string
  /** The server's message. */
  detail: string | null
  /** A definite refusal: a retry would not help, so Back is the default. */
  final?: boolean
  /** Tries again; without it the whole page is reloaded. */
  reload?: () => void
  /** Action of Back; by default one step back in the browser's history. */
  back?: () => void
}
export const loadErrorAtom = atom<LoadError | null>(null)

/** Shows the modal; null hides it. Queued keys were for what failed to load, so they are dropped. */
export function showLoadError(error: LoadError | null): void {
  if (error) giveUp()
  store.set(loadErrorAtom, error)
}
