import { Line } from '#portal/form/line.tsx'

/** What was sent has no answer yet: it is asked for again, and applied once. `sent` names it where the form does not show it. */
export const Checking = ({ sent, place = 'this' }: { sent?: string; place?: string }) => (
  <Line tone="wait" icon="time" detail={`Retrying until confirmed. It is applied once. You can close ${place}.`}>
    Checking whether it went through{sent && `: ${sent}`}
  </Line>
)
