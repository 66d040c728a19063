import { memo } from 'react'
import { formatCents } from '#domain/money.ts'
import type { Field } from '#kernel/form.ts'
import type { MoneyLine } from '#kernel/money-lines.ts'
import { AmountInput, type Sign } from '#portal/form/fields/amount-field.tsx'
import { moneyText } from '#portal/format/amount-text.ts'
import { withShortDates } from '#portal/format/dates.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The typed values of one line. */
export type Item = Readonly<Record<string, unknown>>
/** The errors of one line, by column. */
export type CellErrors = Readonly<Record<string, { message?: string } | undefined>>

/** Context and callbacks of a line with inputs. Stable from key to key, so that only the line being typed in renders. */
export interface LineContext {
  columns: readonly Field[]
  set: (line: MoneyLine, column: string, now: unknown) => void
  /** Clears the line. */
  clear: (line: MoneyLine) => void
  /** The cell lost the focus. */
  left: (line: MoneyLine, column: string) => void
  /** The value of a shortcut in its amount, in cents. */
  means: (line: MoneyLine, sign: Sign) => number | undefined
}

interface LineProps {
  line: MoneyLine
  id: string
  typing?: LineContext
  /** The typed values; null while the line has its suggestion. */
  item?: Item | null | undefined
  wrong?: CellErrors | undefined
}

const figures = ['before', 'moves', 'after', 'says', 'suggested', 'detail', 'max', 'title', 'id', 'gone'] as const

/** Lines are rebuilt at every key; one with equal figures is not rendered again. */
const sameLine = (a: MoneyLine, b: MoneyLine): boolean => a === b || figures.every((name) => a[name] === b[name])

/** One line: its subject, its balance, the amount moved, and the balance after. Rendered only when it changes itself. */
export const Line = memo(
  function Line({ line, id, typing, item, wrong }: LineProps) {
    const { title, before, moves, after, says, suggested } = line
    const columns = typing?.columns ?? []
    const messages = columns.flatMap(({ name }) => wrong?.[name]?.message ?? [])
    const detail = line.detail && withShortDates(line.detail)
    const differs = typing && item !== null && suggested !== undefined && suggested !== moves
    const cell = (column: Field) => (
      <td key={column.name} className={column.kind === 'money' ? 'money-in' : 'money-more'}>
        <Cell
          column={column}
          line={line}
          value={item === null && column.kind === 'money' ? moves || undefined : item?.[column.name]}
          wrong={wrong?.[column.name]?.message !== undefined}
          describedBy={`${id}-owes ${messages.length ? `${id}-wrong` : ''}`}
          typing={typing as LineContext}
        />
      </td>
    )
    return (
      <tr className="money-line" data-moves={moves !== 0 || undefined}>
        <th scope="row" className="money-title">
          <p title={title}>{title}</p>
          {(detail || differs) && (
            <small>
              <span title={detail}>{detail}</span>
              {line.gone && (
                <button type="button" onClick={() => typing?.clear(line)}>
                  Clear
                </button>
              )}
              {differs && (
                <button type="button" tabIndex={-1} onClick={() => typing.set(line, moneyOf(columns), suggested)}>
                  suggested {formatCents(suggested)} <Kbd chord="s" /> use
                </button>
              )}
            </small>
          )}
        </th>
        <td className="money-was">{formatCents(before)}</td>
        {typing ? columns.map(cell) : <td className="money-moves">{formatCents(moves)}</td>}
        <td id={`${id}-owes`} className="money-then">
          <b>{formatCents(after)}</b>
          {says && <small>{says}</small>}
        </td>
        {messages.length > 0 && (
          <td id={`${id}-wrong`} className="err">
            {messages.join(' ')}
          </td>
        )}
      </tr>
    )
  },
  (a, b) => sameLine(a.line, b.line) && a.item === b.item && a.wrong === b.wrong && a.typing === b.typing && a.id === b.id,
)

/** The name of the amount column. */
export const moneyOf = (columns: readonly Field[]): string => columns.find(({ kind }) => kind === 'money')?.name ?? ''

interface CellProps {
  column: Field
  line: MoneyLine
  value: unknown
  wrong: boolean
  describedBy: string
  typing: LineContext
}

function Cell({ column, line, value, wrong, describedBy, typing }: CellProps) {
  const shared = {
    'aria-label': `${column.title}, ${line.title}`,
    'aria-invalid': wrong || undefined,
    'aria-describedby': describedBy,
    'data-column': column.name,
  }
  const set = (now: unknown) => typing.set(line, column.name, now)
  const left = () => typing.left(line, column.name)
  const word = (now: string) => set(now === '' ? undefined : now)
  if (column.kind === 'money')
    return (
      <AmountInput
        text={moneyText}
        sign={(sign) => typing.means(line, sign)}
        value={value}
        onChange={set}
        onBlur={left}
        restores
        attributes={{ ...shared, placeholder: '0.00' }}
      />
    )
  if (column.kind === 'choice')
    return (
      <select
        {...shared}
        className="field px-2!"
        value={String(value ?? '')}
        onChange={(event) => word(event.target.value)}
        onBlur={left}
      >
        <option value="">{column.optional ? 'None' : `Choose ${column.title.toLowerCase()}`}</option>
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
      placeholder={column.title}
      value={String(value ?? '')}
      onChange={(event) => word(event.target.value)}
      onBlur={left}
    />
  )
}
