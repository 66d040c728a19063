import type { RefObject } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { Line } from '#portal/form/line.tsx'
import { type Values, activeValues } from '#kernel/form-values.ts'
import { same } from '#portal/form/session/values.ts'
import { inWords } from '#portal/form/session/value-text.ts'

/** Maximum number of differing cells that are named. */
const maxCells = 3

/** The saved and the typed value: `now $1.00, yours $3.99`; for tables with equally many rows, cell by cell. */
function nowAndYours(field: Field, saved: unknown, mine: unknown): string {
  const say = (of: Field, now: unknown, own: unknown) => `now ${inWords(of, now)}, yours ${inWords(of, own)}`
  if (!Array.isArray(saved) || !Array.isArray(mine) || saved.length !== mine.length) return say(field, saved, mine)
  const cells = saved.flatMap((row: Values, at) =>
    field.columns
      .filter(({ name }) => !same(row[name], mine[at][name]))
      .map(
        (column) => `${field.one ?? 'row'} ${at + 1}, ${column.title}: ${say(column, row[column.name], mine[at][column.name])}`,
      ),
  )
  const more = cells.length - maxCells
  return [...cells.slice(0, maxCells), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

interface PageAlertsProps {
  control: Control<Values>
  fields: readonly Field[]
  saved: Values
  /** Why the last save failed. */
  failure: Failure | null
  /** The fields that somebody else changed as well. */
  asks: readonly string[]
  go: (field: string) => void
  /** Saves the user's values of these fields; null if nothing can be saved now. */
  asShown: (() => void) | null
  button: RefObject<HTMLButtonElement | null>
}

/**
 * Why a page was not saved, in its footer, where it is visible; for fields that two people changed, with the button that resolves
 * the conflict.
 */
export function PageAlerts({ control, fields, saved, failure, asks, go, asShown, button }: PageAlertsProps) {
  const values = useWatch({ control })
  const both = fields.filter(({ name }) => asks.includes(name))
  if (!failure && !both.length) return null
  const mine = activeValues(fields, values)
  const bad = failure && !failure.meanwhile
  return (
    <div className="page-told">
      <Line tone={bad ? 'bad' : 'wait'} icon={bad ? 'alert' : 'refresh'} detail={failure?.detail} alert>
        {failure?.sentence ?? 'Something changed since you typed this.'}
      </Line>
      {both.length > 0 && (
        <div>
          {both.map((field) => (
            <p key={field.name}>
              <button type="button" className="link" onClick={() => go(field.name)}>
                {field.title}
              </button>
              : {nowAndYours(field, saved[field.name], mine[field.name])}
            </p>
          ))}
          {asShown && (
            <button ref={button} type="button" className="btn" onClick={asShown}>
              Save as shown
            </button>
          )}
        </div>
      )}
    </div>
  )
}
