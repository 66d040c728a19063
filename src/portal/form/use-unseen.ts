import { useCallback, useEffect, useRef } from 'react'
import { showToast } from '#portal/platform/toasts.ts'

interface RefusalText {
  sentence: string
  detail: string | null
}

const showRefusal = ({ sentence, detail }: RefusalText): void => showToast(sentence, { tone: 'bad', detail })

/** Milliseconds after which a displayed refusal counts as seen. Keys typed during the send arrive at once. */
const seenAfter = 1_000

/**
 * For a form that itself shows why it was refused: `refused` is called as soon as that is known, `drawn` once it is rendered. If
 * the form closes before anybody can have read it, for example by Ctrl+K right after the send, a toast shows it (D540).
 */
export function useUnseen(): { refused: (why: RefusalText) => void; drawn: () => void } {
  const unseen = useRef<{ why: RefusalText; since: number | null } | null>(null)
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      const { why, since } = unseen.current ?? {}
      if (why && (typeof since !== 'number' || performance.now() - since < seenAfter)) showRefusal(why)
    }
  }, [])
  const refused = useCallback((why: RefusalText) => {
    if (gone.current) showRefusal(why)
    else unseen.current = { why, since: null }
  }, [])
  const drawn = useCallback(() => {
    if (unseen.current) unseen.current.since ??= performance.now()
  }, [])
  return { refused, drawn }
}
