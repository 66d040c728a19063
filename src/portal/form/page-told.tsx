import type { RefObject } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { Line } from '#portal/form/line.tsx'
import { holding, inWords } from '#portal/form/page-values.ts'

interface PageToldProps {
  control: Control<Values>
  fields: readonly Field[]
  saved: Values
  /** Why it was not saved the last time. */
  failure: Failure | null
  /** The fields that somebody else changed, too. */
  asks: readonly string[]
  go: (field: string) => void
  /** Saves what is typed into them; null where nothing can be saved now. */
  asShown: (() => void) | null
  button: RefObject<HTMLButtonElement | null>
}

/** Why a page was not saved, in its foot, where it is in sight; of fields that two people changed, with what settles it (D546). */
export function PageTold({ control, fields, saved, failure, asks, go, asShown, button }: PageToldProps) {
  const values = useWatch({ control })
  const both = fields.filter(({ name }) => asks.includes(name))
  if (!failure && !both.length) return null
  const mine = holding(fields, values)
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
              : now {inWords(field, saved[field.name])}, yours {inWords(field, mine[field.name])}
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
