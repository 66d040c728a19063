import { useCallback, useEffect, useRef } from 'react'
import { showToast } from '#portal/platform/toasts.ts'

interface Refused {
  sentence: string
  detail: string | null
}

const tell = ({ sentence, detail }: Refused): void => showToast(sentence, { tone: 'bad', detail })

/** Milliseconds after which a refusal that stands in a form was seen. Keys that were typed while it was sent come at once. */
const seenAfter = 1_000

/**
 * For a form that tells by itself why it was refused: `refused` is told as soon as that is known, `drawn` once it stands in the
 * form. Where the form goes before anybody can have read it, as by Ctrl+K right behind the send, it is said as a toast (D540).
 */
export function useUnseen(): { refused: (why: Refused) => void; drawn: () => void } {
  const unseen = useRef<{ why: Refused; since: number | null } | null>(null)
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      const { why, since } = unseen.current ?? {}
      if (why && (typeof since !== 'number' || performance.now() - since < seenAfter)) tell(why)
    }
  }, [])
  const refused = useCallback((why: Refused) => {
    if (gone.current) tell(why)
    else unseen.current = { why, since: null }
  }, [])
  const drawn = useCallback(() => {
    if (unseen.current) unseen.current.since ??= performance.now()
  }, [])
  return { refused, drawn }
}
