import { formatCents } from '#domain/money.ts'
import type { MoneySum } from '#kernel/money-lines.ts'

const marks = { bad: 'status status-bad text-bad', wait: 'status status-wait' }

/** The decisive figures, in the footer of a form, which does not scroll. */
export function Sums({ sums }: { sums: readonly MoneySum[] }) {
  return (
    <div role="status" className="money-sums">
      {sums.map(({ title, cents, tone }) => (
        <p key={title}>
          <small className={tone && marks[tone]}>{title}</small>
          <b>{formatCents(cents)}</b>
        </p>
      ))}
    </div>
  )
}
