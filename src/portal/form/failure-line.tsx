import type { RefObject } from 'react'
import type { Failure } from '#portal/form/failure.ts'
import { Line } from '#portal/form/line.tsx'

/** While the fields are scrolled, the failure may be out of view. */
const intoSight = (element: HTMLElement | null): void => element?.scrollIntoView?.({ block: 'nearest' })

interface FailureLineProps {
  failure: Failure
  /** Sends the form although the amounts have changed. */
  asShown: () => void
  button: RefObject<HTMLButtonElement | null>
}

/** Why a form was not sent; if the user has to confirm something first, with the button that does (D522). */
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
