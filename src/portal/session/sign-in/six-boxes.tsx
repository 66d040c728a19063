import { type ComponentProps, useId, useState } from 'react'

const keys = ['one', 'two', 'three', 'four', 'five', 'six']

/** Six boxes as one field: typing, pasting and autofill work, and screen readers see one text field. */
export function SixBoxes({
  label,
  error,
  value,
  onChange,
  ...input
}: { label: string; error?: string; value: string; onChange: (code: string) => void } & Omit<
  ComponentProps<'input'>,
  'value' | 'onChange'
>) {
  const id = useId()
  const [caret, setCaret] = useState(0)
  return (
    <div>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <div className="six">
        <input
          {...input}
          id={id}
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, 6))}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? value.length)}
        />
        {keys.map((key, index) => (
          <span key={key} aria-hidden="true" data-caret={index === Math.min(caret, value.length, 5) ? '' : undefined}>
            {value[index] ?? ''}
          </span>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="err" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
