import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { FormKeys } from '#kernel/send.ts'
import type { Page } from '#portal/commands/palette-state.ts'
import { takeInterrupted } from '#portal/commands/outbox/interruptions.ts'
import { Line } from '#portal/form/line.tsx'
import type { Failure } from '#portal/form/session/failure.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { useStanding } from '#portal/ui/use-sending.ts'

/** While the fields are scrolled, the failure may be out of view. */
const intoSight = (element: HTMLElement | null): void => element?.scrollIntoView?.({ block: 'nearest' })

interface FailureLineProps {
  failure: Failure
  /** Sends the form although the amounts have changed. */
  asShown: () => void
  button: RefObject<HTMLButtonElement | null>
}

/** Why a form was not sent; if the user has to confirm something first, with the button that does. */
export const FailureLine = ({ failure: { sentence, detail, stands }, asShown, button }: FailureLineProps) => (
  <div ref={intoSight}>
    <Line
      tone="bad"
      icon="alert"
      alert
      detail={
        stands ? (
          <button ref={button} type="button" className="btn mt-1" onClick={asShown}>
            Send as shown
          </button>
        ) : (
          detail
        )
      }
    >
      {sentence}
    </Line>
  </div>
)

/**
 * The message of a form that was not sent because the session had ended, until it is sent again; and its idempotency keys.
 */
export function useUnsent(page: Extract<Page, { kind: 'form' }>): { line: ReactNode; keys: FormKeys | undefined; sent(): void } {
  const [found, setFound] = useState(() => takeInterrupted(page))
  const [keys] = useState(() => found?.keys)
  const line = found && (
    <Line tone="wait" icon="alert" alert detail={found.text.detail}>
      {found.text.sentence}
    </Line>
  )
  return { line, keys, sent: () => setFound(null) }
}

type RefusalText = Pick<Failure, 'sentence' | 'detail'>

const showRefusal = ({ sentence, detail }: RefusalText): void => showToast(sentence, { tone: 'bad', detail })

/** Milliseconds after which a displayed refusal counts as seen. Keys typed during the send arrive at once. */
const seenAfter = 1_000

/**
 * For a form that itself shows why it was refused: `refused` is called as soon as that is known, `drawn` once it is rendered. If
 * the form closes before anybody can have read it, for example by Ctrl+K right after the send, a toast shows it.
 */
export function useUnseen() {
  const unseen = useRef<{ why: RefusalText; since: number | null } | null>(null)
  const standing = useStanding()
  useEffect(
    () => () => {
      const { why, since } = unseen.current ?? {}
      if (why && (typeof since !== 'number' || performance.now() - since < seenAfter)) showRefusal(why)
    },
    [],
  )
  return {
    refused: (why: RefusalText) => {
      if (standing.current) unseen.current = { why, since: null }
      else showRefusal(why)
    },
    drawn: () => {
      if (unseen.current) unseen.current.since ??= performance.now()
    },
  }
}
