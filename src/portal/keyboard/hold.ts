import { say } from '#portal/app/toasts.ts'

/** How many things that were pressed have not happened yet. */
let held = 0
/** Raised whenever what waits is given up: a wait that began before has nothing left to do. */
let turn = 0
const givenUp = new Set<() => void>()

/** Keeps later keys waiting until what was pressed has happened. Returns what says so; to say it twice does nothing. */
export function hold(): () => void {
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
export const holding = <T>(work: Promise<T>): Promise<T> => work.finally(hold())

/** True while something that was pressed has not happened yet. */
export const isHeld = (): boolean => held > 0

/** What waits now is still wanted for as long as this answers true. */
export function stillWanted(): () => boolean {
  const mine = turn
  return () => mine === turn
}

/** Keys were ignored: those that run on from them were meant for what they would have done. */
let ignoring = false

/** Whether a key runs on from keys that were ignored; none does after a pause. */
export const isIgnored = (afterPause: boolean): boolean => (ignoring &&= !afterPause)

/** Gives up what waits: Escape, the pointer or a change of place came in between, or it took too long. */
export function giveUp(): void {
  turn++
  ignoring = false
  held = 0
  for (const tell of givenUp) tell()
}

/** Is told whenever what waits is given up. Returns what ends that. */
export function whenGivenUp(tell: () => void): () => void {
  givenUp.add(tell)
  return () => void givenUp.delete(tell)
}

/** What is being changed without a form, `employee 104234`: what can be done to it next is known afterwards. */
export const changing = new Set<string>()

/** Milliseconds that anything is waited for at most. */
export const longestWait = 2000

/** Gives up what waits because something did not come in time, with the keys that run on from it, and says so. */
export function tookTooLong(): void {
  giveUp()
  ignoring = true
  say('Keys pressed while it was loading were ignored.')
}

/** Keeps later keys waiting until something is so; false when it was given up or took too long. */
export async function until(so: () => boolean): Promise<boolean> {
  const wanted = stillWanted()
  const letGo = hold()
  const began = performance.now()
  while (wanted() && performance.now() - began < longestWait) {
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
