import { type RefObject, useEffect, useRef, useState } from 'react'

/** Milliseconds after which a pending answer is mentioned. */
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

/** Whether an answer takes long enough to be mentioned. */
export function useSlow(sending: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!sending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => clearTimeout(timer)
  }, [sending])
  return slow
}

/** Runs work once at a time while the component is mounted. */
export function useSending() {
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const standing = useStanding()
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
  return { sending, standing, once }
}
