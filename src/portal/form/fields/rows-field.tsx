import { type KeyboardEvent, useEffect, useRef } from 'react'
import { formatCents } from '#domain/money.ts'
import type { FormRow } from '#kernel/command.ts'
import type { Field } from '#kernel/form.ts'
import { moneyText } from '#portal/form/amount-text.ts'
import type { ControlProps } from '#portal/form/control.ts'
import { AmountInput } from '#portal/form/fields/amount-field.tsx'

type Item = Record<string, unknown>

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Moves between rows within a column. */
function upAndDown(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const on = event.target as HTMLElement
  if (on instanceof HTMLSelectElement && !event.altKey) return
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-column="${on.dataset.column}"]`)]
  const next = cells[cells.indexOf(on) + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Rows to fill in; those that are left empty are not part of the value. */
export function RowsField(props: ControlProps) {
  const { id, field, value, onChange, onBlur, rows, messages = [], focusRef, describedBy } = props
  const key = field.key ?? 'id'
  const items = Array.isArray(value) ? (value as Item[]) : []
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    focusRef({ focus: () => table.current?.querySelector<HTMLElement>('[aria-invalid="true"], input')?.focus() })
  }, [focusRef])

  if (!rows) return <div className="h-24 animate-pulse rounded-lg bg-sunken" role="status" aria-label="Reading the rows" />
  if (rows.length === 0) return <p className="text-muted">There is nothing to choose from.</p>
  const set = (row: FormRow, name: string, now: unknown) => {
    const known = items.find((item) => item[key] === row.id)
    const item: Item = { ...(known ?? { [key]: row.id }), [name]: now }
    const filled = field.columns.some((column) => !isEmpty(item[column.name]))
    const others = items.filter((each) => each[key] !== row.id)
    onChange(filled ? rows.flatMap(({ id: at }) => (at === row.id ? [item] : others.filter((each) => each[key] === at))) : others)
  }
  return (
    <div className="max-h-64 overflow-auto rounded-lg border border-line">
      <table
        ref={table}
        className="w-full border-collapse tabular-nums"
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy}
        onKeyDown={upAndDown}
        onBlur={onBlur}
      >
        <thead>
          <tr className="sticky top-0 bg-surface text-small text-muted [&>th]:px-2 [&>th]:py-1.5 [&>th]:text-left [&>th]:font-medium">
            <th>Which</th>
            {field.columns.map((column) => (
              <th key={column.name} className={column.kind === 'money' ? 'w-32' : ''}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const at = items.findIndex((item) => item[key] === row.id)
            return (
              <tr key={row.id} className="border-t border-line align-top [&>td]:px-2 [&>td]:py-1">
                <td className="pt-2!">
                  {row.title}
                  {(row.detail || row.most !== undefined) && (
                    <small className="block text-muted">
                      {[row.detail, row.most === undefined ? null : `up to ${formatCents(row.most)}`].filter(Boolean).join(' · ')}
                    </small>
                  )}
                </td>
                {field.columns.map((column) => (
                  <td key={column.name}>
                    <Cell
                      column={column}
                      row={row}
                      value={items[at]?.[column.name]}
                      message={messages[at]?.[column.name]?.message}
                      onChange={(now) => set(row, column.name, now)}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps {
  column: Field
  row: FormRow
  value: unknown
  message: string | undefined
  onChange: (value: unknown) => void
}

function Cell({ column, row, value, message, onChange }: CellProps) {
  const shared = {
    'aria-label': `${column.title}, ${row.title}`,
    'aria-invalid': message === undefined ? undefined : true,
    'data-column': column.name,
  }
  const word = (now: string) => onChange(now === '' ? undefined : now)
  return (
    <>
      {column.kind === 'money' ? (
        <AmountInput text={moneyText} all={row.most} value={value} onChange={onChange} attributes={shared} />
      ) : column.kind === 'choice' ? (
        <select {...shared} className="field" value={String(value ?? '')} onChange={(event) => word(event.target.value)}>
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
      {message && <p className="err">{message}</p>}
    </>
  )
}
