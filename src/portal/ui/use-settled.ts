import { useEffect, useState } from 'react'

/** A value once it has stayed the same for `after` milliseconds. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
