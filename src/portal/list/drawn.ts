import { store } from '#portal/platform/store.ts'
import type { List } from '#portal/list/list.ts'
import { drawnListAtoms } from '#portal/list/lists.ts'

/** Runs `watch` for each list while it is rendered. Returns the function that stops it. */
export function watchDrawn(watch: (list: List) => () => void): () => void {
  const stops = drawnListAtoms.map((at) => {
    let stop = (): void => {}
    const follow = () => {
      stop()
      const list = store.get(at)
      stop = list ? watch(list) : () => {}
    }
    follow()
    const stopFollowing = store.sub(at, follow)
    return () => {
      stopFollowing()
      stop()
    }
  })
  return () => {
    for (const stop of stops) stop()
  }
}
