import type { ReactNode } from 'react'
import { Icon } from '#portal/ui/icon.tsx'

const tones = {
  bad: 'bg-bad-wash',
  wait: 'bg-wait-wash',
  plain: 'bg-sunken',
} as const

/** A line that the user must read before going on, with details below it. */
export function Line({
  tone,
  icon,
  children,
  detail,
  alert = false,
}: {
  tone: keyof typeof tones
  icon: string
  children: ReactNode
  detail?: ReactNode
  alert?: boolean
}) {
  return (
    <div className={`flex gap-2.5 rounded-lg px-3 py-2 ${tones[tone]}`} role={alert ? 'alert' : undefined}>
      <Icon name={icon} className="mt-0.5" />
      <div className="min-w-0">
        <p className="font-medium">{children}</p>
        {detail && <p className="text-muted">{detail}</p>}
      </div>
    </div>
  )
}

/** No answer to a call that was sent yet: it is retried, and applied once. `sent` names the call if the form does not show it. */
export const Checking = ({ sent, place = 'this' }: { sent?: string; place?: string }) => (
  <Line tone="wait" icon="time" detail={`Retrying until confirmed. It is applied once. You can close ${place}.`}>
    Checking whether it went through{sent && `: ${sent}`}
  </Line>
)

/** Says that a draft was restored, with a button to clear it. */
export function DraftRestored({ clear }: { clear: () => void }) {
  return (
    <p role="status" className="flex gap-2 text-small text-muted">
      Draft restored
      <button type="button" className="link" onClick={clear}>
        Clear
      </button>
    </p>
  )
}
