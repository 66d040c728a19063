import type { ReactNode } from 'react'
import type { MoneyLines } from '#kernel/money-lines.ts'

/** The preview that a form shows of its current values. */
export interface FormPreview {
  /** The lines of a form about amounts; null for other forms. */
  lines: MoneyLines | 'reading' | null
  /** Errors known before sending, by path: `amount`, `allocations.0.amount`. */
  wrong?: ReadonlyMap<string, string>
  /** Shown below the fields. */
  below: ReactNode
  /** Stays visible above the buttons while the fields scroll. */
  kept?: ReactNode
  /** Shown beside the fields if there is room, else below. */
  aside?: ReactNode
}
