import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react'

/** A component in a chunk of its own. */
export interface Later<P> {
  /** Undefined until it is loaded. */
  part: () => ComponentType<P> | undefined
  /** Loads it; rendering it does so as well. Rejects on failure, and can be retried. */
  fetch: () => Promise<unknown>
}

/** Declares a component in a chunk of its own. */
export function later<P>(load: () => Promise<ComponentType<P>>): Later<P> {
  let found: ComponentType<P> | undefined
  const fetch = async () => {
    found = await load()
  }
  return { part: () => found, fetch }
}

/** A lazy component once it is loaded, which starts while it is `wanted`; and whether it failed. */
export function useLater<P>(
  of: Later<P>,
  wanted = true,
): { Component: ComponentType<P> | undefined; failed: boolean; again: () => void } {
  const [, drawAgain] = useState(0)
  const [failed, setFailed] = useState(false)
  const again = useCallback(() => {
    setFailed(false)
    of.fetch().then(
      () => drawAgain((times) => times + 1),
      () => setFailed(true),
    )
  }, [of])
  const Component = of.part()
  // Depends on what is rendered: another caller may have loaded it since, which only a render shows.
  const missing = wanted && !Component
  useEffect(() => {
    if (missing) again()
  }, [missing, again])
  return { Component, failed, again }
}

/** Renders a part: in the same frame once it was fetched, where `React.lazy` renders a fallback first; until then `waiting`. */
export function Part<P extends object>({ of, props, waiting = null }: { of: Later<P>; props: P; waiting?: ReactNode }) {
  const { Component, failed, again } = useLater(of)
  if (Component) return <Component {...props} />
  if (!failed) return waiting
  return (
    <div className="flex flex-wrap items-center gap-2 p-4" role="alert">
      A part of the portal could not be loaded. Check the network.
      <button type="button" className="btn" onClick={again}>
        Try again
      </button>
    </div>
  )
}
