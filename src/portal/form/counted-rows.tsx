import type { Amounts } from '#domain/amounts.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'

type Reasons = readonly { sentence: string; count: number }[]

/** Total number of rows. */
export const countOf = (reasons: Reasons): number => reasons.reduce((sum, { count }) => sum + count, 0)

/** How many rows can be done, how many cannot and why, and for how many of the former the undo would be refused. */
export function Counted(props: { done: number; blocked: number; amounts: Amounts | null; reasons: Reasons; kept: Reasons }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-3 py-2" role="status">
      <p className="font-medium">
        {wholeNumber(props.done)} eligible{props.blocked ? `, ${wholeNumber(props.blocked)} blocked` : ''}
        {props.amounts && `, ${formatCents(props.amounts.moved)} in all`}
      </p>
      <List reasons={props.reasons} />
      {props.kept.length > 0 && <p className="mt-1.5">{wholeNumber(countOf(props.kept))} could not be undone afterwards</p>}
      <List reasons={props.kept} />
    </div>
  )
}

/** The five most frequent reasons with their counts. */
const List = ({ reasons }: { reasons: Reasons }) =>
  reasons.length > 0 && (
    <ul className="mt-1 text-muted">
      {reasons.slice(0, 5).map(({ sentence, count }) => (
        <li key={sentence} className="flex justify-between gap-3">
          <span className="truncate">{sentence}</span>
          <span className="tabular-nums">{wholeNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
