import { useId, useMemo, useState } from 'react'
import { z } from 'zod'
import { changes } from '#kernel/command.ts'
import { type Field, fieldsOf } from '#kernel/form.ts'
import { Checking, DraftRestored, Line } from '#portal/form/line.tsx'
import { ConfirmField } from '#portal/form/fields/confirm-field.tsx'
import type { Failure } from '#portal/form/session/failure.ts'
import { useFormValues } from '#portal/form/session/use-session.ts'
import { initialValues } from '#kernel/form-values.ts'
import { withDraft } from '#portal/form/session/values.ts'
import { FailureLine } from '#portal/form/palette/refusals.tsx'
import { chooser, needChooser } from '#portal/form/fields/deferred.ts'
import { FormField } from '#portal/form/fields/form-field.tsx'
import { linesShown, sums } from '#portal/form/money/deferred.ts'
import { LoadingForm, NotLoaded } from '#portal/form/page-lines.tsx'
import { Icon } from '#portal/ui/icon.tsx'
import { type PaletteFormOptions, usePaletteForm } from '#portal/form/palette/use-palette-form.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { popPage } from '#portal/commands/palette-state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Part, useLater } from '#portal/ui/later.tsx'
import '#portal/form/palette/form.css'

interface CommandFormProps extends PaletteFormOptions {
  schema: z.ZodObject | null
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
  if (wants && !Component) return <LoadingForm what="Loading" />
  return <FormOf key={turn} {...props} schema={schema} fields={fields} clear={clear} />
}

interface FormOfProps extends CommandFormProps {
  schema: z.ZodObject
  fields: readonly Field[]
  /** Remounts the form without the draft. */
  clear: () => void
}

function FormOf(props: FormOfProps) {
  const { command, targets, schema, fields, start, params, frozen } = props
  const id = useId()
  const saved = useMemo(() => initialValues(fields, start), [fields, start])
  const input = useFormValues({
    schema,
    fields,
    mode: 'onSubmit',
    // A filter or a sort has no draft, since its form shows what is set.
    draftName: changes(command) ? { command: command.id, targets } : null,
    valuesWith: (draft) => initialValues(fields, withDraft(fields, saved, draft), params),
  })
  const has = usePaletteForm(props, input, saved)
  const { form, draft, unparsed } = input
  const { session, state, question, steps, at, setAt, last, visible, shown, lines } = has
  const { failure } = session
  const { above, blocked, warning, word, note, go } = has.frame
  const isBusy = state === 'submitting' || state === 'unknown'
  const lineOf = (why: Failure) => <FailureLine failure={why} asShown={has.sendAsShown} button={has.asShownButton} />
  return (
    <form
      ref={has.element}
      noValidate
      aria-busy={isBusy}
      data-waits={has.reading || undefined}
      data-money={shown.lines ? '' : undefined}
      aria-labelledby="form-title"
      onKeyDown={has.keys}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="form-work">
        {steps.length > 1 && <StepsRail steps={steps} at={at} go={setAt} />}
        <div className="form-fields">
          {above}
          {question && lineOf(question)}
          {frozen ? (
            <div data-frozen tabIndex={-1} role="status" className="outline-none">
              <Checking />
            </div>
          ) : null}
          {draft && !frozen && <DraftRestored clear={props.clear} />}
          <div data-fields tabIndex={-1} className="grid grid-cols-2 gap-3.5 outline-none empty:absolute" inert={frozen}>
            {visible.map((field, index) => (
              <div key={field.name} data-field={field.name} className={standsHalf(visible, index) ? '' : 'col-span-2'}>
                <FormField
                  field={field}
                  control={form.control}
                  formId={id}
                  lines={lines}
                  wrong={shown.wrong}
                  unparsed={unparsed}
                  check={(path) => void form.trigger(path)}
                />
              </div>
            ))}
          </div>
          {last && lines && !fields.some(({ kind }) => kind === 'rows') && <Part of={linesShown} props={{ lines, id }} />}
          {last && shown.below}
          {last && warning && (
            <Line tone="wait" icon="warning">
              {warning}
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
        {lines && lines.sums.length > 0 && !has.slow ? (
          <Part of={sums} props={lines} />
        ) : (
          <span role="status" className="mr-auto line-clamp-3 min-w-0 text-[12.5px] leading-4 text-muted">
            {has.slow ? 'Waiting for the answer' : note}
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
          aria-disabled={blocked !== null || isBusy}
          onClick={has.click}
        >
          {last ? go : 'Continue'} <Kbd chord={has.enters && word === null ? 'Enter' : 'Mod+Enter'} />
        </button>
      </div>
    </form>
  )
}

const short = new Set(['money', 'percentage', 'integer', 'date', 'code', 'switch'])

/** Two adjacent short fields share a row. */
function standsHalf(fields: readonly { kind: string }[], index: number): boolean {
  let run = index
  while (run > 0 && short.has(fields[run - 1]?.kind ?? '')) run--
  if (!short.has(fields[index]?.kind ?? '')) return false
  const place = (index - run) % 2
  return place === 1 || short.has(fields[index + 1]?.kind ?? '')
}

/** The steps of a wizard: the current one, and the completed ones with a way back. */
function StepsRail({ steps, at, go }: { steps: readonly string[]; at: number; go: (step: number) => void }) {
  return (
    <ol className="w-44 shrink-0 space-y-0.5 border-r border-line p-2" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            tabIndex={index < at ? 0 : -1}
            disabled={index > at}
            aria-current={index === at ? 'step' : undefined}
            className={`flex h-8 w-full items-center gap-2 rounded-md px-2 text-left ${index === at ? 'bg-accent-wash font-[550]' : index > at ? 'text-muted' : ''}`}
            onClick={() => go(index)}
          >
            <span className="grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-tiny tabular-nums">
              {index < at ? <Icon name="check" size={12} /> : index + 1}
            </span>
            <span className="truncate">{step}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
