import { type ComponentType, useEffect, useState } from 'react'
import { showLoadError } from '#portal/state/load-error.ts'
import { closeRecord } from '#portal/state/rows-cursor.ts'

/** A part of a record that comes in a chunk of its own. */
export interface Later<P> {
  /** Undefined until it was fetched. */
  part: () => ComponentType<P> | undefined
  /** Fetches it; drawing it fetches it, too. */
  fetch: () => Promise<unknown>
}

/** Declares a part of a record that comes in a chunk of its own. */
export function later<P>(load: () => Promise<ComponentType<P>>): Later<P> {
  let found: ComponentType<P> | undefined
  const fetch = async () => {
    found = await load()
  }
  return { part: () => found, fetch }
}

/** Draws a part: in the same frame once it was fetched, where `React.lazy` draws a fallback first; until then nothing. */
export function Part<P extends object>({ of, props }: { of: Later<P>; props: P }) {
  const [, drawAgain] = useState(0)
  const Found = of.part()
  useEffect(() => {
    const draw = () => drawAgain((times) => times + 1)
    const failed = () =>
      showLoadError({
        sentence: 'A part of the portal could not be loaded.',
        detail: null,
        reload: () => void of.fetch().then(draw, failed),
        back: closeRecord,
      })
    if (!of.part()) of.fetch().then(draw, failed)
  }, [of])
  return Found ? <Found {...props} /> : null
}
