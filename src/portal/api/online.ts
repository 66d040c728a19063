import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

/** Whether the network is available, according to the browser and the last calls. */
export const onlineAtom = atom(typeof navigator === 'undefined' ? true : navigator.onLine)

let lostAt = 0

/** Marks the network as lost: the browser says so, or a call got no answer. */
export function setOffline(): void {
  lostAt = performance.now()
  store.set(onlineAtom, false)
}

/** A call sent at `since` (`performance.now()`) was answered; one sent before the network was lost proves nothing. */
export function setOnline(since: number = performance.now()): void {
  if (since >= lostAt) store.set(onlineAtom, true)
}

/** Listens to the browser's online and offline events. Returns the function that stops it. */
export function watchNetwork(): () => void {
  const on = () => setOnline()
  addEventListener('online', on)
  addEventListener('offline', setOffline)
  return () => {
    removeEventListener('online', on)
    removeEventListener('offline', setOffline)
  }
}
