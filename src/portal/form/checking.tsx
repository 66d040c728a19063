import { Line } from '#portal/form/line.tsx'

/** No answer to a call that was sent yet: it is retried, and applied once. `sent` names the call if the form does not show it. */
export const Checking = ({ sent, place = 'this' }: { sent?: string; place?: string }) => (
  <Line tone="wait" icon="time" detail={`Retrying until confirmed. It is applied once. You can close ${place}.`}>
    Checking whether it went through{sent && `: ${sent}`}
  </Line>
)
