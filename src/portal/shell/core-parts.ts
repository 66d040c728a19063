import type { ComponentType } from 'react'
import { everything } from '#portal/platform/bundle.ts'

/** What the frame uses of everything that loads right after the first list. */
export interface CoreParts {
  Palette: ComponentType
  /** Starts the work in the background. Returns the function that stops it. */
  startWatches: () => () => void
  /** Opens the command that the address names. */
  openFromLink: () => void
}

let parts: CoreParts = { Palette: () => null, startWatches: () => () => {}, openFromLink: () => {} }

/** Called by `everything.ts` when it has loaded. */
export function provideCoreParts(found: CoreParts): void {
  parts = found
}

/** Loads everything, and resolves with the parts for the frame. Rejects on failure. */
export const coreParts = (): Promise<CoreParts> => everything().then(() => parts)
