import { placeAtom } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'

const openNow = (): string | null => store.get(placeAtom)?.id ?? null

/** Gives the keyboard to a record that back or forward opens, as whoever opened it had it. Returns what stops it. */
export function watchReturns(): () => void {
  let open = openNow()
  // The browser tells of a step before or after the place has changed: until both were told, this is the record before it.
  const stop = store.sub(placeAtom, () =>
    setTimeout(() => {
      open = openNow()
    }),
  )
  const returned = () => {
    const before = open
    setTimeout(() => {
      const now = openNow()
      if (now !== null && now !== before) focusRecord()
    })
  }
  addEventListener('popstate', returned)
  return () => {
    stop()
    removeEventListener('popstate', returned)
  }
}
