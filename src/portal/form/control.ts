import type { RefCallback } from 'react'
import type { FormRow } from '#kernel/command.ts'
import type { Field } from '#kernel/form.ts'

/** What every kind of field is drawn from. */
export interface ControlProps {
  id: string
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  invalid: boolean
  /** Ids of the help and the message below. */
  describedBy: string | undefined
  /** Of rows: what can be filled in, null while it is being read; and the messages by place in the value. */
  rows?: readonly FormRow[] | null
  /** Of rows: the amount that they share out, in cents. */
  whole?: number | null
  messages?: readonly (Readonly<Record<string, { message?: string } | undefined>> | undefined)[]
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
