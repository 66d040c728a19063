import { useEffect, useState } from 'react'

/** Rest before something is said: whoever types is not talked over. */
const rest = 600

/** Polite words for a screen reader, once they stood for a moment. */
export function LiveText({ text }: { text: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said}
    </div>
  )
}
