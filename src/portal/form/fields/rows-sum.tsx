import { formatCents } from '#domain/money.ts'
import type { Field } from '#kernel/form.ts'
import type { Item } from '#portal/form/fields/row-line.tsx'

interface RowsSumProps {
  columns: readonly Field[]
  items: readonly Item[]
  /** The amount of the form that the lines share out, in cents; null while there is none. */
  whole: number | null | undefined
}

/** What the lines come to, and what of the amount is left. */
export function RowsSum({ columns, items, whole }: RowsSumProps) {
  const money = columns.find((column) => column.kind === 'money')
  if (!money || items.length === 0) return null
  const cents = items.map((item) => item[money.name]).filter((each) => typeof each === 'number' && Number.isFinite(each))
  const sum = (cents as number[]).reduce((total, each) => total + each, 0)
  const left = typeof whole === 'number' && Number.isFinite(whole) ? whole - sum : null
  return (
    <p className="flex justify-between gap-3 border-t border-line bg-canvas px-2.5 py-1.5 text-small tabular-nums">
      <span className="text-muted">
        {items.length.toLocaleString('en-US')} {items.length === 1 ? 'line' : 'lines'} filled in
      </span>
      <span>
        <b className="font-semibold">{formatCents(sum)}</b>
        {left !== null && whole !== null && (
          <span className={left < 0 ? 'text-bad' : 'text-muted'}>
            {` of ${formatCents(whole as number)}, ${left < 0 ? `${formatCents(-left)} too much` : `${formatCents(left)} left`}`}
          </span>
        )}
      </span>
    </p>
  )
}
