import type { CSSProperties, ReactNode } from 'react'
import { formatCents } from '#domain/money.ts'
import type { Field } from '#kernel/form.ts'
import { type MoneyLine, type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { Line } from '#portal/form/money/line.tsx'
import { Icon } from '#portal/ui/icon.tsx'

const widths: Readonly<Record<string, string>> = { money: '132px', choice: 'minmax(132px,176px)' }

interface LinesTableProps {
  /** The accessible name of the table. */
  name: { 'aria-label': string } | { 'aria-labelledby': string }
  lines: MoneyLines
  /** The inputs of each line; empty if the lines are read-only. */
  columns?: readonly Field[]
  describedBy?: string | undefined
  children: ReactNode
}

/** The frame of lines of amounts: header above, sums of all lines below, both visible while the lines scroll. */
export function LinesTable({
  name,
  lines: { one, many, heads, lines, locked, notSummed },
  columns,
  describedBy,
  children,
}: LinesTableProps) {
  const [before, moves, after] = heads
  const more = columns?.filter(({ kind }) => kind !== 'money') ?? []
  const cells = columns?.map(({ kind }) => widths[kind] ?? 'minmax(96px,1fr)') ?? ['132px']
  const sum = (figure: (line: MoneyLine) => number) => formatCents(sumOf(lines.map(figure)))
  return (
    <table
      {...name}
      aria-describedby={describedBy}
      className="money-table"
      style={{ '--money-columns': `minmax(0,1.4fr) 100px ${cells.join(' ')} 116px` } as CSSProperties}
    >
      <thead>
        <tr className="money-head">
          <th className="first-letter:uppercase">{one}</th>
          <th className="money-was">{before}</th>
          {(columns ?? [null]).map((column) =>
            column === null || column.kind === 'money' ? (
              <th key="" className="money-moves">
                {moves}
              </th>
            ) : (
              <th key={column.name} className="money-more">
                {column.title}
              </th>
            ),
          )}
          <th className="money-then">{after}</th>
        </tr>
      </thead>
      <tbody>
        {children}
        {locked && (
          <tr className="money-line money-locked">
            <th scope="row" className="money-title">
              <p>
                <Icon name="lock" size={14} /> {locked.title}
              </p>
              <small>{locked.detail}</small>
            </th>
            <td className="money-was">{formatCents(locked.cents)}</td>
          </tr>
        )}
        {lines.length > 1 && !notSummed && (
          <tr className="money-line money-all">
            <th scope="row" className="money-title">
              <p>{pluralize(lines.length, { one, many })}</p>
            </th>
            <td className="money-was">{sum((line) => line.before)}</td>
            <td className="money-moves">
              <b>{sum((line) => line.moves)}</b>
            </td>
            {more.map(({ name: column }) => (
              <td key={column} className="money-more" />
            ))}
            <td className="money-then">
              <b>{sum((line) => line.after)}</b>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

/** The effect of one amount on every record it concerns. */
export const LinesShown = ({ lines, id }: { lines: MoneyLines; id: string }) => (
  <LinesTable name={{ 'aria-label': 'What changes' }} lines={lines}>
    {lines.lines.map((line) => (
      <Line key={line.id} line={line} id={`${id}-${line.id}`} />
    ))}
  </LinesTable>
)
