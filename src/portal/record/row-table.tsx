import type { ReactNode } from 'react'
import type { Rows } from '#portal/record/use-rows.ts'

/** One column of a record's table. */
export interface TableColumn<T> {
  title: string
  right?: boolean
  cell: (row: T) => ReactNode
}

interface RowTableProps<T> {
  label: string
  of: Rows<T>
  columns: readonly TableColumn<T>[]
  idOf: (row: T) => number | string
  /** Said where there are none. */
  none: string
}

/** A record's own list: what could not be read, that there is nothing, or the rows. */
export function RowTable<T>({ label, of: { rows, problem, more, again }, columns, idOf, none }: RowTableProps<T>) {
  return (
    <>
      {problem && (
        <p className="mb-3 flex items-center gap-2" role="alert">
          {problem}
          <button type="button" className="btn" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {rows?.length === 0 && <p className="text-muted">{none}</p>}
      {rows !== undefined && rows.length > 0 && (
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
      )}
      {more && (
        <button type="button" className="btn mt-3" onClick={more}>
          Show more
        </button>
      )}
    </>
  )
}
