import { type ComponentType, useMemo } from 'react'
import { type Control, useController, useFormState, useWatch } from 'react-hook-form'
import type { FieldKind } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { useFocusTarget } from '#portal/form/fields/field-focus.ts'
import type { ControlProps } from '#portal/form/fields/control.ts'
import { IntegerField, MoneyField, PercentageField } from '#portal/form/fields/amount-field.tsx'
import { ChoicesField } from '#portal/form/fields/choices-field.tsx'
import { DateField, DateRangeField } from '#portal/form/fields/date-field.tsx'
import { chooser, isRadios, tableField } from '#portal/form/fields/deferred.ts'
import { RadiosField } from '#portal/form/fields/radios-field.tsx'
import { LongTextField, TextField } from '#portal/form/fields/text-field.tsx'
import { useListedOptions } from '#portal/form/fields/listed-options.ts'
import { linesField } from '#portal/form/money/deferred.ts'
import type { UnparsedInput } from '#portal/form/session/validation.ts'
import { isDate } from '#portal/format/date-words.ts'
import { Part } from '#portal/ui/later.tsx'
import type { Values } from '#kernel/form-values.ts'
import { isUnread, keptAs } from '#portal/form/session/values.ts'

// A form with one of these kinds renders once their chunk has loaded.
const Chooser = (props: ControlProps) => <Part of={chooser} props={props} />
const Rows = (props: ControlProps) => <Part of={linesField} props={props} />
const Table = (props: ControlProps) => <Part of={tableField} props={props} />

/** The one component of each kind of field. */
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
  switch: Chooser,
  choice: (props) => (isRadios(props.field) ? <RadiosField {...props} /> : <Chooser {...props} />),
  choices: ChoicesField,
  reference: Chooser,
  references: Chooser,
  permissions: Chooser,
  chips: Chooser,
  rows: Rows,
  table: Table,
  file: Chooser,
}

/** Kinds made of several elements, or of one with words of its own: named by `aria-labelledby` instead of a label's `for`. */
const groups: readonly FieldKind[] = ['choices', 'date-range', 'file', 'permissions', 'rows', 'table']
/** Kinds with cells, each of which is validated separately. */
const celled: readonly FieldKind[] = ['rows', 'table']

interface FormFieldProps {
  field: Field
  control: Control<Values>
  formId: string
  /** For a form about amounts. */
  lines?: MoneyLines | null
  /** Errors known before sending, by path. */
  wrong?: ReadonlyMap<string, string>
  /** Validates the field, or one cell of it. */
  check: (path: string) => void
  unparsed: UnparsedInput
}

/** True for a number or a date that was typed and could not be parsed. */
const notUnderstood = ({ kind }: Field, value: unknown): boolean =>
  isUnread(value) ||
  ((kind === 'date' || kind === 'date-range') &&
    typeof value === 'string' &&
    value.split('..').some((each) => each !== '' && !isDate(each)))

type CellMessages = NonNullable<ControlProps['messages']>
const noMessages: CellMessages = []

/** The messages of cells from the errors of the form; an error of the list itself is a property beside them. */
function cellsOf(error: unknown, count: number): CellMessages {
  if (Array.isArray(error)) return error
  if (typeof error !== 'object' || error === null || !Object.keys(error).some((name) => /^\d+$/.test(name))) return noMessages
  return Array.from({ length: count }, (_, at) => (error as Record<number, CellMessages[number]>)[at])
}

/** The message of a field as a whole. */
export function messageOf(error: unknown): string | undefined {
  const { message, root } = (error ?? {}) as { message?: unknown; root?: { message?: unknown } }
  return [message, root?.message].find((each) => typeof each === 'string')
}

/** The messages of the cells by index in the value: validation errors, and errors known before sending. */
function messagesOf(field: Field, error: unknown, value: unknown, wrong?: ReadonlyMap<string, string>): CellMessages {
  const count = Array.isArray(value) ? value.length : 0
  const found = cellsOf(error, count)
  if (!count || ![...(wrong?.keys() ?? [])].some((path) => path.startsWith(`${field.name}.`))) return found
  return Array.from({ length: count }, (_, at) => {
    const known = field.columns.flatMap(({ name }) => {
      const message = wrong?.get(`${field.name}.${at}.${name}`)
      return message ? [[name, { message }] as const] : []
    })
    return known.length ? { ...Object.fromEntries(known), ...found[at] } : found[at]
  })
}

/** A table whose choices are restricted to the values that another field of the form allows. */
function useAllowed(field: Field, control: Control<Values>): Field {
  const decides = field.columns.find(({ only }) => only)?.only?.field
  const watched: unknown = useWatch({ control, name: decides ?? field.name })
  // Without such a column the field watches itself, and its value decides nothing.
  const decided = decides === undefined ? undefined : watched
  return useMemo(() => {
    if (decides === undefined) return field
    const columns = field.columns.map((column) => {
      const allowed = column.only?.values[String(decided)]
      return allowed ? { ...column, options: column.options.filter(({ value }) => allowed.includes(value)) } : column
    })
    return { ...field, columns }
  }, [field, decides, decided])
}

/** A field with its label, help and error message. */
export function FormField({ field: whole, control, formId, lines = null, wrong, check, unparsed }: FormFieldProps) {
  const field = useListedOptions(useAllowed(whole, control))
  const { field: bound } = useController({ name: field.name, control })
  const focusRef = useFocusTarget(control, field.name, bound.ref)
  const value: unknown = bound.value ?? undefined
  const beside: unknown = useWatch({ control, name: field.beside ?? field.name })
  // Includes errors of single cells.
  const { errors } = useFormState({ control, name: field.name })
  const error = errors[field.name]
  const id = `${formId}-${field.name}`
  const ownMessage = messageOf(error)
  const message = ownMessage ?? (value === undefined ? undefined : wrong?.get(field.name))
  // An error with the same text as the help is shown once.
  const help = field.help !== message && field.help
  const describedBy = [help && `${id}-help`, message && `${id}-error`].filter(Boolean).join(' ') || undefined
  const Kind = drawn[field.kind as keyof typeof drawn]
  const errorLine = message && (
    <p id={`${id}-error`} className="err" role={unparsed.has(field.name) ? 'alert' : undefined}>
      {message}
    </p>
  )
  return (
    <div>
      <label className="label" id={`${id}-label`} htmlFor={groups.includes(field.kind) || isRadios(field) ? undefined : id}>
        {field.title}{' '}
        {field.optional && !field.needed && !celled.includes(field.kind) && (
          <span className="font-normal text-muted">optional</span>
        )}
      </label>
      {/* Below many lines it would be out of view. */}
      {field.kind === 'rows' && errorLine}
      <Kind
        id={id}
        field={field}
        value={value}
        beside={beside}
        onChange={(next) => bound.onChange(keptAs(next))}
        onBlur={() => {
          bound.onBlur()
          // Validates again, so that an earlier error is updated or removed.
          if (!celled.includes(field.kind) && (error || notUnderstood(field, value))) check(field.name)
        }}
        focusRef={focusRef}
        max={lines?.max}
        lines={lines}
        messages={celled.includes(field.kind) ? messagesOf(field, error, value, wrong) : []}
        check={check}
        unparsed={unparsed}
        invalid={message !== undefined}
        describedBy={describedBy}
      />
      {help && (
        <p id={`${id}-help`} className="mt-1 text-small text-muted">
          {help}
        </p>
      )}
      {field.kind !== 'rows' && errorLine}
    </div>
  )
}
