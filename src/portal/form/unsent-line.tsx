import { type ReactNode, useState } from 'react'
import type { FormKeys } from '#kernel/send.ts'
import { takeUnsent } from '#portal/commands/unsent.ts'
import { Line } from '#portal/form/line.tsx'
import type { Page } from '#portal/commands/palette-state.ts'

/**
 * The message of a form that was not sent because the session had ended, until it is sent again; and its idempotency keys (D533).
 */
export function useUnsent(page: Extract<Page, { kind: 'form' }>): { line: ReactNode; keys: FormKeys | undefined; sent(): void } {
  const [found, setFound] = useState(() => takeUnsent(page))
  const [keys] = useState(() => found?.keys)
  const line = found && (
    <Line tone="wait" icon="alert" alert detail={found.says.detail}>
      {found.says.sentence}
    </Line>
  )
  return { line, keys, sent: () => setFound(null) }
}
