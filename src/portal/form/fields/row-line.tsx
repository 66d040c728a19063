import { memo } from 'react'
import { formatCents } from '#domain/money.ts'
import type { FormRow } from '#kernel/command.ts'
import type { Field } from '#kernel/form.ts'
import { moneyText } from '#portal/format/amount-text.ts'
import { AmountInput } from '#portal/form/fields/amount-field.tsx'
import { withShortDates } from '#portal/format/dates.ts'

/** What is filled in of one line. */
export type Item = Readonly<Record<string, unknown>>

/** Whether a cell has nothing in it. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

interface RowLineProps {
  columns: readonly Field[]
  row: FormRow
  /** Widths of the columns. */
  grid: string
  item: Item | undefined
  messages: Readonly<Record<string, { message?: string } | undefined>> | undefined
  set: (row: FormRow, name: string, now: unknown) => void
}

/** One line: what it is about, and its cells. Drawn anew only when it changes itself; off the screen not laid out at all. */
export const RowLine = memo(function RowLine({ columns, row, grid, item, messages, set }: RowLineProps) {
  const below = [row.detail && withShortDates(row.detail), row.most === undefined ? null : `up to ${formatCents(row.most)}`]
    .filter(Boolean)
    .join(' · ')
  return (
    <li
      style={{ gridTemplateColumns: grid }}
      className={`grid items-start gap-2 border-line px-2.5 py-1.5 [contain-intrinsic-size:auto_47px] [content-visibility:auto] not-first:border-t ${item ? 'bg-accent-wash/40' : ''}`}
    >
      <div className="min-w-0 self-center leading-tight">
        <p className="line-clamp-2 wrap-anywhere" title={row.title}>
          {row.title}
        </p>
        {below && (
          <p className="truncate text-small text-muted tabular-nums" title={below}>
            {below}
          </p>
        )}
      </div>
      {columns.map((column) => (
        <Cell
          key={column.name}
          column={column}
          row={row}
          value={item?.[column.name]}
          message={messages?.[column.name]?.message}
          onChange={(now) => set(row, column.name, now)}
        />
      ))}
    </li>
  )
})

interface CellProps {
  column: Field
  row: FormRow
  value: unknown
  message: string | undefined
  onChange: (value: unknown) => void
}

function Cell({ column, row, value, message, onChange }: CellProps) {
  const error = `${column.name}-${row.id}-error`
  const shared = {
    'aria-label': `${column.title}, ${row.title}`,
    'aria-invalid': message === undefined ? undefined : true,
    'aria-describedby': message === undefined ? undefined : error,
    'data-column': column.name,
  }
  const word = (now: string) => onChange(now === '' ? undefined : now)
  return (
    <div className={`min-w-0 ${column.kind === 'money' ? '[&_input]:text-right' : ''}`}>
      {column.kind === 'money' ? (
        <AmountInput text={moneyText} all={row.most} value={value} onChange={onChange} attributes={shared} />
      ) : column.kind === 'choice' ? (
        <select {...shared} className="field px-2!" value={String(value ?? '')} onChange={(event) => word(event.target.value)}>
          <option value="">{column.optional ? 'None' : 'Choose'}</option>
          {column.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input {...shared} className="field" value={String(value ?? '')} onChange={(event) => word(event.target.value)} />
      )}
      {message && (
        <p id={error} className="err mt-1! text-small! leading-tight">
          {message}
        </p>
      )}
    </div>
  )
}
