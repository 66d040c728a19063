import type { ReactNode } from 'react'

/** One column of a table. */
export interface TableColumn<T> {
  title: string
  right?: boolean
  cell: (row: T) => ReactNode
}

interface RowTableProps<T> {
  label: string
  rows: readonly T[]
  columns: readonly TableColumn<T>[]
  idOf: (row: T) => number | string
  /** Text of an empty table. */
  none: string
}

/** Rows that are part of the record itself; rows with pages are a list. */
export function RowTable<T>({ label, rows, columns, idOf, none }: RowTableProps<T>) {
  if (rows.length === 0) return <p className="text-muted">{none}</p>
  return (
    <table className="rows" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, right }) => (
            <th key={title} scope="col" className={right ? 'text-right' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ title, right, cell }) => (
              <td key={title} className={right ? 'text-right' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
