import { locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

interface PendingReturn {
  command: string
  goOn: () => void
  /** Number of navigations since. */
  moves: number
  forget: () => void
}

let way: PendingReturn | null = null

/**
 * Remembers the list that a command was opened from, which continues once the command is done; dropped if the user navigates
 * elsewhere.
 */
export function rememberWay(command: string, goOn: () => void): void {
  way?.forget()
  const made: PendingReturn = { command, goOn, moves: 0, forget: () => undefined }
  const stop = store.sub(locationAtom, () => {
    made.moves += 1
    // One navigation leads to the page of the command itself.
    if (made.moves > 1) made.forget()
  })
  made.forget = () => {
    stop()
    if (way === made) way = null
  }
  way = made
}

/**
 * The callback of the list that opened a completed command: `here` if the form is above the list, else on its own page. Null if
 * there is none.
 */
export function wayOn(command: string, { here }: { here: boolean }): (() => void) | null {
  const found = way
  if (found?.command !== command || found.moves !== (here ? 0 : 1)) return null
  found.forget()
  return found.goOn
}
