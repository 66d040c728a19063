import { useAtomValue } from 'jotai'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { dateOf, distance, isDate, moved } from '#portal/format/date-words.ts'
import { meAtom } from '#portal/api/session.ts'

interface DateInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string
  onDate: (date: string) => void
  /** True for a date in the past. */
  past?: boolean
}

const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 7, PageDown: -7 }

/** A date as text, which may be words; the arrows move it by a day, PgUp and PgDn by a week. */
function DateInput({ value, onDate, onBlur, past = false, ...rest }: DateInputProps) {
  const me = useAtomValue(meAtom)
  const today = me?.business_date ?? new Date().toISOString().slice(0, 10)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = steps[event.key]
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setTyped(null)
    onDate(moved(value, by, today))
  }
  return (
    <div className="field flex items-center gap-2 has-[[aria-invalid=true]]:border-bad">
      <input
        {...rest}
        className="w-full min-w-[5.75rem] bg-transparent tabular-nums outline-none"
        placeholder="yyyy-mm-dd"
        autoComplete="off"
        spellCheck={false}
        value={shown}
        onKeyDown={keys}
        onChange={(event) => {
          setTyped(event.target.value)
          onDate(dateOf(event.target.value, today, past) ?? event.target.value)
        }}
        onBlur={(event) => {
          if (value === '' || isDate(value)) setTyped(null)
          onBlur?.(event)
        }}
      />
      <span className="shrink-0 text-[12px] whitespace-nowrap text-muted" aria-live="polite">
        {distance(value, today)}
      </span>
    </div>
  )
}

export function DateField(props: ControlProps) {
  const value = typeof props.value === 'string' ? props.value : ''
  return (
    <DateInput
      {...attributes(props)}
      value={value}
      past={props.field.past === true}
      onDate={(date) => props.onChange(date === '' && props.field.optional ? undefined : date)}
    />
  )
}

/** Two dates in one value, `from..to`. */
export function DateRangeField(props: ControlProps) {
  const [from = '', to = ''] = typeof props.value === 'string' ? props.value.split('..') : []
  const set = (a: string, b: string) => props.onChange(a || b ? `${a}..${b}` : undefined)
  const { id, ref, ...rest } = attributes(props)
  return (
    <div className="grid grid-cols-2 gap-3.5">
      <DateInput
        {...rest}
        id={id}
        ref={ref}
        aria-label={`${props.field.title}, from`}
        value={from}
        onDate={(date) => set(date, to)}
      />
      <DateInput {...rest} aria-label={`${props.field.title}, to`} value={to} onDate={(date) => set(from, date)} />
    </div>
  )
}
