import { useEffect, useState } from 'react'

/** Milliseconds of rest before something is announced, so that the screen reader does not interrupt typing. */
const rest = 600

/** Polite announcements for a screen reader, debounced. */
export function LiveText({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {announced}
    </div>
  )
}
