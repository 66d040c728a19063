import type { RefObject } from 'react'
import type { Failure } from '#portal/form/failure.ts'
import { Line } from '#portal/form/line.tsx'

/** Where the fields are scrolled, why something was not sent may be out of sight. */
const intoSight = (element: HTMLElement | null): void => element?.scrollIntoView?.({ block: 'nearest' })

interface FailureLineProps {
  failure: Failure
  /** Sends it though it is not what was sent before. */
  asShown: () => void
  button: RefObject<HTMLButtonElement | null>
}

/** Why a form did not do it; where an act of the person is needed first, with the button that is one (D522). */
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
