import { showToast } from '#portal/app/toasts.ts'

/** How many things that were pressed have not happened yet. */
let held = 0
/** Raised whenever what waits is given up: a wait that began before has nothing left to do. */
let turn = 0
const givenUp = new Set<() => void>()

/** Keeps later keys waiting until what was pressed has happened. Returns what says so; to say it twice does nothing. */
export function blockKeys(): () => void {
  const mine = turn
  let done = false
  held++
  return () => {
    if (done || mine !== turn) return
    done = true
    held--
  }
}

/** Keeps later keys waiting until a promise is settled; answers the promise. */
export const blockKeysWhile = <T>(work: Promise<T>): Promise<T> => work.finally(blockKeys())

/** True while something that was pressed has not happened yet. */
export const isHeld = (): boolean => held > 0

/** What waits now is still wanted for as long as this answers true. */
export function stillWanted(): () => boolean {
  const mine = turn
  return () => mine === turn
}

/**
 * Which keys are ignored because they follow, without a pause, a key that did nothing: after a timeout every key, after a refused key
 * what would be text in the form that it did not open.
 */
let ignoring: 'keys' | 'text' | null = null

/** Whether a key is ignored as a continuation of earlier ones. A pause ends that, as does a key that is no text after a refusal. */
export function isIgnored({ afterPause, isText }: { afterPause: boolean; isText: boolean }): boolean {
  if (afterPause || (ignoring === 'text' && !isText)) ignoring = null
  return ignoring !== null
}

/** A key was refused: the text typed right behind it was for its form, and must not run as single-letter keys. */
export function ignoreText(): void {
  giveUp()
  ignoring = 'text'
}

/** Gives up what waits: Escape, the pointer or a change of place came in between, or it took too long. */
export function giveUp(): void {
  turn++
  ignoring = null
  held = 0
  for (const tell of givenUp) tell()
}

/** Calls `tell` whenever the queued keys are dropped. Returns the function that removes the listener. */
export function whenGivenUp(tell: () => void): () => void {
  givenUp.add(tell)
  return () => void givenUp.delete(tell)
}

/** What is being changed without a form, `employee 104234`: what can be done to it next is known afterwards. */
export const changing = new Set<string>()

/** Milliseconds that anything is waited for at most. */
export const maxWait = 2000

/** Gives up what waits because something did not come in time, with the keys that run on from it, and says so. */
export function tookTooLong(): void {
  giveUp()
  ignoring = 'keys'
  showToast('Keys pressed while it was loading were ignored.')
}

/** Keeps later keys waiting until something is so; false when it was given up or took too long. */
export async function until(so: () => boolean): Promise<boolean> {
  const wanted = stillWanted()
  const letGo = blockKeys()
  const began = performance.now()
  while (wanted() && performance.now() - began < maxWait) {
    if (so()) {
      letGo()
      return true
    }
    await new Promise((go) => setTimeout(go, 10))
  }
  letGo()
  if (wanted()) tookTooLong()
  return false
}
