import { atom } from 'jotai/vanilla'
import { store } from '#portal/state/store.ts'

/** Whether the network is there, as the browser and the last calls tell. */
export const onlineAtom = atom(typeof navigator === 'undefined' ? true : navigator.onLine)

/** Told by the wire: a call got no answer, or one did. */
export const setOnline = (online: boolean): void => store.set(onlineAtom, online)

/** Listens to the browser's own word. */
export function watchNetwork(): () => void {
  const on = () => setOnline(true)
  const off = () => setOnline(false)
  addEventListener('online', on)
  addEventListener('offline', off)
  return () => {
    removeEventListener('online', on)
    removeEventListener('offline', off)
  }
}
