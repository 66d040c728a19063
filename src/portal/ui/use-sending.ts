import { type RefObject, useEffect, useRef, useState } from 'react'

/** Milliseconds after which an answer that is not there is spoken of. */
const slowAfter = 400

/** Whether a component is still mounted, for callers that await an answer. */
export function useStanding(): RefObject<boolean> {
  const standing = useRef(true)
  useEffect(() => {
    standing.current = true
    return () => {
      standing.current = false
    }
  }, [])
  return standing
}

/** Does something once at a time while a component stands; `slow` once its answer takes long enough to be spoken of. */
export function useSending() {
  const [sending, setSending] = useState(false)
  const [slow, setSlow] = useState(false)
  const busy = useRef(false)
  const standing = useStanding()
  useEffect(() => {
    if (!sending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => clearTimeout(timer)
  }, [sending])
  /** Resolves to undefined if it is under way already, or if the component was unmounted meanwhile. */
  const once = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (busy.current) return undefined
    busy.current = true
    setSending(true)
    try {
      const answer = await work()
      return standing.current ? answer : undefined
    } finally {
      busy.current = false
      if (standing.current) setSending(false)
    }
  }
  return { sending, slow, standing, once }
}
