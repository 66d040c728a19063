import { type KeyboardEvent, memo, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import { useEscapeFirst, useKeyboardWithin } from '#portal/form/fields/escape-first.ts'
import { FormField } from '#portal/form/fields/form-field.tsx'
import type { UnparsedInput } from '#portal/form/session/validation.ts'
import { type Values, isAsked } from '#kernel/form-values.ts'
import { same } from '#portal/form/session/values.ts'
import { inWords } from '#portal/form/session/value-text.ts'

interface PageRowProps {
  field: Field
  control: Control<Values>
  formId: string
  saved: unknown
  /** Source of the saved value: undefined for the record's own, null if nobody has set one. */
  source: string | null | undefined
  /** Whether a value may be inherited: otherwise only changes against the saved value are marked. */
  levelled: boolean
  /** The title of the field that it depends on. */
  decidedBy: string | undefined
  /** True if the value is read-only here. */
  fixed?: boolean
  /** True if nothing is saved yet: the initial value is only a proposal. */
  isNew: boolean
  check: (name: string) => void
  unparsed: UnparsedInput
  /** Restores the saved value; null while a save is in flight, which decides what that is. */
  restore: ((field: Field) => void) | null
}

/** A field of a page: name, help, input, and how its value relates to the saved one. Renders independently. */
export const PageRow = memo(function PageRow(props: PageRowProps) {
  const { field, control, formId, saved, source, levelled, decidedBy, fixed = false, isNew, check, unparsed, restore } = props
  const { when } = field
  const value: unknown = useWatch({ control, name: field.name }) ?? undefined
  const decides: unknown = useWatch({ control, name: when?.field ?? field.name })
  const [turn, setTurn] = useState(0)
  const asked = !fixed && isAsked(field, when ? { [when.field]: decides } : {})
  const differs = asked && !same(value, saved)
  // For a table one key would discard the input of all its rows.
  const restores = differs && field.kind !== 'table' ? restore : null
  const [within, handlers] = useKeyboardWithin()
  useEscapeFirst('saved value, then leave', within && restores !== null)
  if (!asked && !fixed && when?.otherwise === undefined) return null
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || !restores) return
    event.preventDefault()
    event.stopPropagation()
    restores(field)
    // Text that could not be parsed goes with the input.
    setTurn(turn + 1)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape bubbles up from the focused element
    <div
      className={`page-row ${field.kind === 'table' ? 'page-row-wide' : ''} ${field.title === field.section ? 'page-row-named' : ''} ${isNew && !levelled ? 'page-row-new' : ''}`}
      data-field={field.name}
      onKeyDown={keys}
      {...handlers}
    >
      {asked ? (
        <FormField
          key={turn}
          field={field}
          control={control}
          formId={formId}
          check={() => check(field.name)}
          unparsed={unparsed}
        />
      ) : (
        <div>
          <span className="label">{field.title}</span>
          <span className="field page-fixed">{inWords(field, fixed ? saved : when?.otherwise)}</span>
        </div>
      )}
      <p className="page-mark">
        {fixed ? (
          <Mark shape="ring" word="Fixed" />
        ) : !asked ? (
          <Mark
            shape="ring"
            word={`Set by ${decidedBy}`}
            {...(typeof when?.is === 'boolean' ? { detail: `Turn ${when.is ? 'on' : 'off'} ${decidedBy} to enter a value` } : {})}
          />
        ) : !levelled ? (
          !isNew && differs && !isNothing(saved) && <Mark shape="disc" word="" detail={`Now: ${inWords(field, saved)}`} changed />
        ) : differs ? (
          <Mark
            shape={value === undefined ? 'dash' : 'disc'}
            word={value === undefined ? 'Cleared' : 'Own value'}
            detail={`Now: ${inWords(field, saved)}${source ? ', inherited' : ''}`}
            changed
          />
        ) : source === null ? (
          <Mark shape="dash" word="Default" detail="Nobody has set one" />
        ) : source !== undefined ? (
          <Mark shape="ring" word="Inherited" detail={`from ${source}`} />
        ) : value === undefined ? (
          <Mark shape="dash" word="No value" />
        ) : (
          <Mark shape="disc" word="Own value" />
        )}
      </p>
    </div>
  )
})

/** Nothing saved yet, or an empty list. */
const isNothing = (saved: unknown): boolean => saved === undefined || (Array.isArray(saved) && saved.length === 0)

interface MarkProps {
  shape: 'ring' | 'disc' | 'dash'
  word: string
  detail?: string
  changed?: boolean
}

function Mark({ shape, word, detail, changed = false }: MarkProps) {
  return (
    <>
      <i className={`page-shape page-${shape}`} aria-hidden="true" />
      <span>
        {word} {changed && <b className="page-changed">changed</b>}
        {detail && <small>{detail}</small>}
      </span>
    </>
  )
}
