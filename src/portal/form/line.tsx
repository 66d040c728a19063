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
