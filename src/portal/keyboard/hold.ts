import { showToast } from '#portal/platform/toasts.ts'

/** Number of actions in flight that later keys wait for. */
let held = 0
/** Incremented whenever queued keys are dropped, which invalidates earlier waits. */
let turn = 0
const givenUp = new Set<() => void>()

/** Queues later keys until the returned function is called; calling it twice has no effect. */
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

/** Queues later keys until a promise is settled; returns the promise. */
export const blockKeysWhile = <T>(work: Promise<T>): Promise<T> => work.finally(blockKeys())

/** True while an action in flight holds back keys. */
export const isHeld = (): boolean => held > 0

/** Returns a function that is true until the queue is dropped. */
export function stillWanted(): () => boolean {
  const mine = turn
  return () => mine === turn
}

/**
 * Keys that are ignored because they follow, without a pause, a key without effect: after a timeout all keys, after a refused key
 * the text for the form that it did not open.
 */
let ignoring: 'keys' | 'text' | null = null

/**
 * Whether a key is ignored as a continuation of earlier ones. A pause ends that, and after a refusal also a key that is not text.
 */
export function isIgnored({ afterPause, isText }: { afterPause: boolean; isText: boolean }): boolean {
  if (afterPause || (ignoring === 'text' && !isText)) ignoring = null
  return ignoring !== null
}

/** A key was refused: text typed right after it was for its form, and must not run as single-letter keys. */
export function ignoreText(): void {
  giveUp()
  ignoring = 'text'
}

/** Drops the queued keys: after Escape, a click, a navigation, or a timeout. */
export function giveUp(): void {
  turn++
  ignoring = null
  held = 0
  for (const callback of givenUp) callback()
}

/** Calls `callback` whenever the queued keys are dropped. Returns the function that removes the listener. */
export function whenGivenUp(callback: () => void): () => void {
  givenUp.add(callback)
  return () => void givenUp.delete(callback)
}

/** Records being changed without a form, `employee 104234`: which commands are available is known only afterwards. */
export const changing = new Set<string>()

/** Maximum wait in milliseconds. */
export const maxWait = 2000

/** Drops the queued keys after a timeout, ignores those that follow without a pause, and shows a toast. */
export function tookTooLong(): void {
  giveUp()
  ignoring = 'keys'
  showToast('Keys pressed while it was loading were ignored.')
}

/** Queues later keys until a condition is true; resolves to false if the queue is dropped or it times out. */
export async function until(so: () => boolean): Promise<boolean> {
  const wanted = stillWanted()
  const release = blockKeys()
  const began = performance.now()
  while (wanted() && performance.now() - began < maxWait) {
    if (so()) {
      release()
      return true
    }
    await new Promise((go) => setTimeout(go, 10))
  }
  release()
  if (wanted()) tookTooLong()
  return false
}
