import { locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

interface Way {
  command: string
  goOn: () => void
  /** How often the person went elsewhere since. */
  moves: number
  forget: () => void
}

let way: Way | null = null

/** Remembers that a command was led to from a list that goes on once it is done; forgotten where the person goes on elsewhere. */
export function rememberWay(command: string, goOn: () => void): void {
  way?.forget()
  const made: Way = { command, goOn, moves: 0, forget: () => undefined }
  const stop = store.sub(locationAtom, () => {
    made.moves += 1
    // Once is the page of the command itself.
    if (made.moves > 1) made.forget()
  })
  made.forget = () => {
    stop()
    if (way === made) way = null
  }
  way = made
}

/** How the list goes on that led to a command that is done: `here` over the list itself, else on a page of its own. Null where none did. */
export function wayOn(command: string, { here }: { here: boolean }): (() => void) | null {
  const found = way
  if (found?.command !== command || found.moves !== (here ? 0 : 1)) return null
  found.forget()
  return found.goOn
}
