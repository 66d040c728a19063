import { type ComponentProps, type ReactNode, useId } from 'react'

/** A one-line field with label and error; the error is announced and describes the field. */
export function TextField({
  label,
  error,
  aside,
  ...input
}: { label: string; error?: string; aside?: ReactNode } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="field col-span-2 row-start-2"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...input}
      />
      {/* After the input in the DOM, so that Tab reaches the input first. */}
      {aside && <div className="col-start-2 row-start-1">{aside}</div>}
      {error && (
        <p id={`${id}-error`} className="err col-span-2" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
