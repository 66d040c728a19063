import type { ReactNode } from 'react'
import type { MoneyLines } from '#kernel/money-lines.ts'

/** What a form shows of what it would do, from what is typed. */
export interface FormPreview {
  /** Its lines of money; null where it moves none. */
  lines: MoneyLines | 'reading' | null
  /** What is wrong already, by path: `amount`, `allocations.0.amount`. */
  wrong?: ReadonlyMap<string, string>
  /** Shown below the fields. */
  below: ReactNode
  /** What stays in sight above the buttons, however far the fields are scrolled. */
  kept?: ReactNode
  /** Shown beside the fields if there is room, else below. */
  aside?: ReactNode
}
