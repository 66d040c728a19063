import type { RefCallback } from 'react'
import type { Field } from '#kernel/form.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import type { UnparsedInput } from '#portal/form/session/validation.ts'

/** Props of every kind of field. */
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
  /** For an amount: the value of `*`, in cents. */
  max?: number | undefined
  /** For rows: the lines to fill in, null while they are loading; and the messages by index in the value. */
  lines?: MoneyLines | null
  messages?: readonly (Readonly<Record<string, { message?: string } | undefined>> | undefined)[]
  /** Validates the field, or one cell of its rows, `allocations.0.amount`. */
  check: (path: string) => void
  /** For a chooser: registers text that was typed and not chosen, which blocks the form and its next step. */
  unparsed: UnparsedInput
  /** The element to focus if this field is the first invalid one. */
  focusRef: RefCallback<{ focus(): void }>
}

/** The options of a choice; one that may be left empty starts with one that clears it. */
export const optionsOf = ({ options, optional, initial }: Field): readonly { value: string | null; label: string }[] =>
  optional && initial === undefined ? [{ value: null, label: 'None' }, ...options] : options

/** Attributes shared by all controls. */
export const attributes = ({ id, field, invalid, describedBy, onBlur, focusRef }: ControlProps) => ({
  id,
  ref: focusRef,
  onBlur,
  'aria-invalid': invalid || undefined,
  'aria-describedby': describedBy,
  'aria-required': !field.optional || undefined,
})
