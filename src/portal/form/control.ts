import type { RefCallback } from 'react'
import type { Field } from '#kernel/form.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import type { UnparsedInput } from '#portal/form/validation.ts'

/** What every kind of field is drawn from. */
export interface ControlProps {
  id: string
  field: Field
  value: unknown
  /** The value of the field that `field.beside` names. */
  beside?: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  invalid: boolean
  /** Ids of the help and the message below. */
  describedBy: string | undefined
  /** Of an amount: what `*` stands for, in cents. */
  max?: number | undefined
  /** Of rows: the lines to fill in, null while they are being read; and the messages by place in the value. */
  lines?: MoneyLines | null
  messages?: readonly (Readonly<Record<string, { message?: string } | undefined>> | undefined)[]
  /** Says what is wrong with the field, or with one cell of its rows, `allocations.0.amount`. */
  check: (path: string) => void
  /** Of a chooser: takes down what was typed there and not taken, without which the form is neither sent nor gone on with. */
  unparsed: UnparsedInput
  /** Where the focus goes when this field is the first that is wrong. */
  focusRef: RefCallback<{ focus(): void }>
}

/** The attributes that every control shares. */
export const attributes = ({ id, field, invalid, describedBy, onBlur, focusRef }: ControlProps) => ({
  id,
  ref: focusRef,
  onBlur,
  'aria-invalid': invalid || undefined,
  'aria-describedby': describedBy,
  'aria-required': !field.optional || undefined,
})
