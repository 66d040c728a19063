import { useAtomValue } from 'jotai'
import { spokenAtom } from '#portal/platform/toasts.ts'

/** Sentences for a screen reader: polite, or assertive for failures. A repeated sentence is spoken twice. */
export function LiveRegions() {
  const { sentence, assertive, at } = useAtomValue(spokenAtom)
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite" aria-atomic="true">
        {!assertive && <span key={at}>{sentence}</span>}
      </div>
      <div className="sr-only" role="alert" aria-live="assertive" aria-atomic="true">
        {assertive && <span key={at}>{sentence}</span>}
      </div>
    </>
  )
}
