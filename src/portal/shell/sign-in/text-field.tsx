import { type ComponentProps, type ReactNode, useId } from 'react'

/** A labelled line of text with its message below; the message is announced and describes the field. */
export function TextField({
  label,
  error,
  aside,
  ...input
}: { label: string; error?: string; aside?: ReactNode } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div>
      <div className="flex items-baseline justify-between">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <input
        id={id}
        className="field"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...input}
      />
      {error && (
        <p id={`${id}-error`} className="err" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
