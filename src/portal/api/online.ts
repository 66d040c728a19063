import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

/** Whether the network is there, as the browser and the last calls tell. */
export const onlineAtom = atom(typeof navigator === 'undefined' ? true : navigator.onLine)

let lostAt = 0

/** The network is lost: the browser says so, or a call got no answer. */
export function setOffline(): void {
  lostAt = performance.now()
  store.set(onlineAtom, false)
}

/** A call was answered that was sent at `since` (`performance.now()`); one sent before the network was lost proves nothing. */
export function setOnline(since: number = performance.now()): void {
  if (since >= lostAt) store.set(onlineAtom, true)
}

/** Listens to the browser's own word. Returns what stops it. */
export function watchNetwork(): () => void {
  const on = () => setOnline()
  addEventListener('online', on)
  addEventListener('offline', setOffline)
  return () => {
    removeEventListener('online', on)
    removeEventListener('offline', setOffline)
  }
}
