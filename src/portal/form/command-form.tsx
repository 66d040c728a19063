import { type ReactNode, useId, useMemo, useState } from 'react'
import { z } from 'zod'
import { type Field, fieldsOf } from '#kernel/form.ts'
import { Checking } from '#portal/form/checking.tsx'
import { ConfirmField } from '#portal/form/confirm-field.tsx'
import { DraftRestored } from '#portal/form/draft-restored.tsx'
import type { Failure } from '#portal/form/failure.ts'
import { FailureLine } from '#portal/form/failure-line.tsx'
import { chooser, needChooser } from '#portal/form/fields/deferred.ts'
import { FormField } from '#portal/form/form-field.tsx'
import { standsHalf } from '#portal/form/half-lines.ts'
import { Line } from '#portal/form/line.tsx'
import { linesShown, sums } from '#portal/form/money/deferred.ts'
import { Loading, NotLoaded } from '#portal/form/page-lines.tsx'
import { StepsRail } from '#portal/form/steps-rail.tsx'
import { type CommandFormState, useCommandForm } from '#portal/form/use-command-form.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { popPage } from '#portal/commands/palette-state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Part, useLater } from '#portal/ui/later.tsx'
import '#portal/form/form.css'

interface CommandFormProps extends CommandFormState {
  schema: z.ZodObject | null
  /** Shown above the fields: how many rows, what changed in the meantime. */
  above?: ReactNode
  /** What the form says about undo. */
  note: string
  go: string
  /** Called when the draft is discarded. */
  cleared?: () => void
}

const nothing = z.object({})

/** The form of a command: fields, steps, warning, confirmation and buttons. Independent of the noun. */
export function CommandForm(props: CommandFormProps) {
  const [turn, setTurn] = useState(0)
  const schema = props.schema ?? nothing
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const wants = needChooser(fields)
  const { Component, failed, again } = useLater(chooser, wants)
  const clear = () => {
    dropDraft(props.command.id, props.targets)
    props.cleared?.()
    setTurn(turn + 1)
  }
  if (wants && failed) return <NotLoaded what="A part of the portal could not be loaded. Check the network." again={again} />
  if (wants && !Component) return <Loading what="Loading" />
  return <FormOf key={turn} {...props} schema={schema} fields={fields} clear={clear} />
}

interface FormOfProps extends CommandFormProps {
  schema: z.ZodObject
  fields: readonly Field[]
  /** Remounts the form without the draft. */
  clear: () => void
}

function FormOf(props: FormOfProps) {
  const { schema, fields, blocked, frozen, word } = props
  const id = useId()
  const has = useCommandForm(props, schema, fields)
  const { form, steps, at, setAt, last, visible, shown, lines, failure, toSettle, slow } = has
  const lineOf = (why: Failure) => <FailureLine failure={why} asShown={has.asShown} button={has.shownButton} />
  return (
    <form
      ref={has.element}
      noValidate
      aria-busy={has.sending || frozen}
      data-waits={has.reading || undefined}
      data-money={shown.lines ? '' : undefined}
      aria-labelledby="form-title"
      onKeyDown={has.keys}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="form-work">
        {steps.length > 1 && <StepsRail steps={steps} at={at} go={setAt} />}
        <div className="form-fields">
          {props.above}
          {toSettle && lineOf(toSettle)}
          {frozen ? (
            <div data-frozen tabIndex={-1} role="status" className="outline-none">
              <Checking />
            </div>
          ) : null}
          {has.restored && !frozen && <DraftRestored clear={props.clear} />}
          <div data-fields tabIndex={-1} className="grid grid-cols-2 gap-3.5 outline-none empty:absolute" inert={frozen}>
            {visible.map((field, index) => (
              <div key={field.name} className={standsHalf(visible, index) ? '' : 'col-span-2'}>
                <FormField
                  field={field}
                  control={form.control}
                  formId={id}
                  lines={lines}
                  wrong={shown.wrong}
                  unparsed={has.unparsed}
                  check={(path) => void form.trigger(path)}
                />
              </div>
            ))}
          </div>
          {last && lines && !fields.some(({ kind }) => kind === 'rows') && <Part of={linesShown} props={{ lines, id }} />}
          {last && shown.below}
          {last && props.warning && (
            <Line tone="wait" icon="warning">
              {props.warning}
            </Line>
          )}
          {last && word !== null && !frozen && <ConfirmField {...has.confirm.field} />}
          {blocked && !frozen && (
            <Line tone="plain" icon="lock" alert>
              {blocked}
            </Line>
          )}
          {failure && !failure.stands && !blocked && !frozen && lineOf(failure)}
        </div>
        {last && shown.aside}
      </div>
      {last && shown.kept}
      <div className="form-foot">
        {lines && lines.sums.length > 0 && !(slow && !frozen) ? (
          <Part of={sums} props={lines} />
        ) : (
          <span role="status" className="mr-auto line-clamp-3 min-w-0 text-[12.5px] leading-4 text-muted">
            {slow && !frozen ? 'Waiting for the answer' : props.note}
          </span>
        )}
        {at > 0 && (
          <button type="button" className="btn" onClick={() => setAt(at - 1)}>
            Back
          </button>
        )}
        <button type="button" className="btn" onClick={popPage}>
          {frozen ? 'Leave' : 'Cancel'} <Kbd chord="Escape" />
        </button>
        <button
          type="button"
          data-go
          className={`btn ${(word === null && !has.careful) || !last ? 'btn-go' : ''}`}
          aria-disabled={blocked !== null || has.sending || frozen}
          onClick={has.onward}
        >
          {last ? props.go : 'Continue'} <Kbd chord={has.enters && word === null ? 'Enter' : 'Mod+Enter'} />
        </button>
      </div>
    </form>
  )
}
