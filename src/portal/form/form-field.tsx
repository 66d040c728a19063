import type { ComponentType } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import type { FieldKind } from '#contract/fields.ts'
import type { FormRow } from '#kernel/command.ts'
import type { Field } from '#kernel/form.ts'
import type { ControlProps } from '#portal/form/control.ts'
import { IntegerField, MoneyField, PercentageField } from '#portal/form/fields/amount-field.tsx'
import { ChipsField } from '#portal/form/fields/chips-field.tsx'
import { ChoiceField } from '#portal/form/fields/choice-field.tsx'
import { ChoicesField } from '#portal/form/fields/choices-field.tsx'
import { DateField, DateRangeField } from '#portal/form/fields/date-field.tsx'
import { ReferenceField } from '#portal/form/fields/reference-field.tsx'
import { RowsField } from '#portal/form/fields/rows-field.tsx'
import { SwitchField } from '#portal/form/fields/switch-field.tsx'
import { LongTextField, TextField } from '#portal/form/fields/text-field.tsx'
import { isDate } from '#portal/format/date-words.ts'

/** Every kind of field, drawn in one place each. */
const drawn: Record<Exclude<FieldKind, 'hidden'>, ComponentType<ControlProps>> = {
  text: TextField,
  'long-text': LongTextField,
  'e-mail': TextField,
  secret: TextField,
  code: TextField,
  integer: IntegerField,
  money: MoneyField,
  percentage: PercentageField,
  date: DateField,
  'date-range': DateRangeField,
  switch: SwitchField,
  choice: ChoiceField,
  choices: ChoicesField,
  reference: ReferenceField,
  chips: ChipsField,
  rows: RowsField,
}

/** Kinds made of several elements: their name is told by `aria-labelledby`, not by a label's `for`. */
const groups: readonly FieldKind[] = ['choices', 'date-range', 'rows']

export type Values = Record<string, unknown>

interface FormFieldProps {
  field: Field
  control: Control<Values>
  formId: string
  /** Of a field of kind rows. */
  rows?: readonly FormRow[] | null
  /** Says what is wrong with the field. */
  check: () => void
}

/** True for a number or a date that was typed and not understood. */
const notUnderstood = ({ kind }: Field, value: unknown): boolean =>
  Number.isNaN(value) ||
  ((kind === 'date' || kind === 'date-range') &&
    typeof value === 'string' &&
    value.split('..').some((each) => each !== '' && !isDate(each)))

/** A field with its label, its help, and its message beside it. */
export function FormField({ field, control, formId, rows, check }: FormFieldProps) {
  const { field: bound, fieldState } = useController({ name: field.name, control })
  const whole: unknown = useWatch({ control, name: field.shares ?? field.name })
  const id = `${formId}-${field.name}`
  const message = fieldState.error?.message
  const describedBy = [field.help && `${id}-help`, message && `${id}-error`].filter(Boolean).join(' ') || undefined
  const Kind = drawn[field.kind as keyof typeof drawn]
  const radios = field.kind === 'choice' && field.options.length <= 4
  return (
    <div>
      <label className="label" id={`${id}-label`} htmlFor={groups.includes(field.kind) || radios ? undefined : id}>
        {field.title} {field.optional && <span className="font-normal text-muted">optional</span>}
      </label>
      <Kind
        id={id}
        field={field}
        value={bound.value}
        onChange={bound.onChange}
        onBlur={() => {
          bound.onBlur()
          if (notUnderstood(field, bound.value)) check()
        }}
        focusRef={bound.ref}
        rows={rows ?? null}
        whole={field.shares && typeof whole === 'number' ? whole : null}
        messages={Array.isArray(fieldState.error) ? fieldState.error : []}
        invalid={fieldState.invalid}
        describedBy={describedBy}
      />
      {field.help && (
        <p id={`${id}-help`} className="mt-1 text-small text-muted">
          {field.help}
        </p>
      )}
      {message && (
        <p id={`${id}-error`} className="err">
          {message}
        </p>
      )}
    </div>
  )
}
