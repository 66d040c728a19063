import { memo } from 'react'
import type { Field } from '#kernel/form.ts'
import { AmountInput } from '#portal/form/fields/amount-field.tsx'
import type { Item } from '#portal/form/table/rows.ts'
import { integerText } from '#portal/format/amount-text.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** The errors of one row, by column. */
export type CellErrors = Readonly<Record<string, { message?: string } | undefined>>

/** Callbacks of a row. Stable from key to key, so that only the row being typed in renders. */
export interface RowTyping {
  columns: readonly Field[]
  set: (at: number, column: string, value: unknown) => void
  left: (at: number, column: string) => void
  move: (at: number, by: -1 | 1) => void
  remove: (at: number) => void
}

interface TableRowProps {
  id: string
  at: number
  one: string
  item: Item
  wrong: CellErrors | undefined
  typing: RowTyping
}

/** One row of a table: its number, cells, errors and actions. */
export const TableRow = memo(function TableRow({ id, at, one, item, wrong, typing }: TableRowProps) {
  const { columns } = typing
  const messages = columns.flatMap(({ name }) => wrong?.[name]?.message ?? [])
  const name = `${one} ${at + 1}`
  return (
    <>
      <tr className="table-row" data-row={at}>
        <th scope="row" className="table-place">
          {at + 1}
        </th>
        {columns.map((column) => (
          <td key={column.name}>
            <Cell
              column={column}
              value={item[column.name]}
              set={(value) => typing.set(at, column.name, value)}
              shared={{
                'aria-label': `${column.title}, ${name}`,
                'aria-invalid': wrong?.[column.name]?.message !== undefined || undefined,
                'aria-describedby': messages.length > 0 ? `${id}-${at}-wrong` : undefined,
                'data-column': column.name,
                onBlur: () => typing.left(at, column.name),
              }}
            />
          </td>
        ))}
        <td className="table-acts">
          <button type="button" tabIndex={-1} aria-label={`Move ${name} up`} onClick={() => typing.move(at, -1)}>
            <Icon name="up" size={14} />
          </button>
          <button type="button" tabIndex={-1} aria-label={`Move ${name} down`} onClick={() => typing.move(at, 1)}>
            <Icon name="down" size={14} />
          </button>
          <button type="button" tabIndex={-1} aria-label={`Remove ${name}`} onClick={() => typing.remove(at)}>
            <Icon name="close" size={14} />
          </button>
        </td>
      </tr>
      {messages.length > 0 && (
        <tr className="table-wrong">
          <td id={`${id}-${at}-wrong`} colSpan={columns.length + 2} className="err">
            {messages.join(' ')}
          </td>
        </tr>
      )}
    </>
  )
})

interface CellProps {
  column: Field
  value: unknown
  set: (value: unknown) => void
  shared: {
    'aria-label': string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
    'data-column': string
    onBlur: () => void
  }
}

function Cell({ column, value, set, shared }: CellProps) {
  const word = (now: string) => set(now === '' ? undefined : now)
  if (column.kind === 'switch')
    return <input {...shared} type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
  if (column.kind === 'integer') {
    const { onBlur, ...rest } = shared
    return <AmountInput text={integerText} value={value ?? undefined} onChange={set} onBlur={onBlur} attributes={rest} />
  }
  if (column.kind === 'choice')
    return (
      <select {...shared} className="field px-2!" value={String(value ?? '')} onChange={(event) => word(event.target.value)}>
        <option value="">{column.optional ? '—' : 'Choose'}</option>
        {column.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  return (
    <input
      {...shared}
      className="field"
      autoComplete="off"
      spellCheck={false}
      value={String(value ?? '')}
      onChange={(event) => word(event.target.value)}
    />
  )
}
