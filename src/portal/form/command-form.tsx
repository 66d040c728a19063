import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { changes, type Command } from '#kernel/command.ts'
import { type Field, fieldsOf, stepsOf } from '#kernel/form.ts'
import { Checking } from '#portal/form/checking.tsx'
import { ConfirmField, useConfirm } from '#portal/form/confirm-field.tsx'
import { DraftRestored } from '#portal/form/draft-restored.tsx'
import type { Failure } from '#portal/form/failure.ts'
import { FailureLine } from '#portal/form/failure-line.tsx'
import { chooser, needChooser } from '#portal/form/fields/deferred.ts'
import { FormField, type Values } from '#portal/form/form-field.tsx'
import { initialValues, serverErrors, unreadPaths } from '#portal/form/form-values.ts'
import { judgeOf, type Untaken } from '#portal/form/judge.ts'
import { Line } from '#portal/form/line.tsx'
import { linesShown, sums } from '#portal/form/money/deferred.ts'
import { Loading, NotLoaded } from '#portal/form/page-lines.tsx'
import type { Shown } from '#portal/form/shown.ts'
import { bothSay, draftFrom, isAsked, useTyped, withDraft } from '#portal/form/page-values.ts'
import { StepsRail } from '#portal/form/steps-rail.tsx'
import { nextStop, useFormFocus } from '#portal/form/use-form-focus.ts'
import { standsHalf } from '#portal/form/half-lines.ts'
import { useMeanwhile } from '#portal/form/use-meanwhile.ts'
import { useSeenAmounts } from '#portal/form/use-seen-amounts.ts'
import { useSending } from '#portal/ui/use-sending.ts'
import { besideDraft, draft, dropDraft, keepBeside, keepDraft } from '#portal/commands/drafts.ts'
import { keepOverReload } from '#portal/commands/reopen-form.ts'
import { tooEarly } from '#portal/form/drawn.ts'
import { holding } from '#portal/keyboard/hold.ts'
import { popPage, type Targets } from '#portal/palette/state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Part, useLater } from '#portal/ui/later.tsx'
import '#portal/form/form.css'

interface CommandFormProps {
  command: Command
  targets: Targets
  schema: z.ZodObject | null
  start: Values
  /** What a link or the palette filled in. */
  params: Values | undefined
  /** What stands above the fields: how many rows, what changed meanwhile. */
  above?: ReactNode
  /** What it does, from what is typed: the preview. */
  shown?: (values: Values) => Shown
  /** Why it cannot be sent now. */
  blocked: string | null
  warning: string | null
  /** What has to be typed to confirm. */
  word: string | null
  /** What can be said of taking it back. */
  note: string
  go: string
  /** Nobody knows whether it went through. */
  frozen: boolean
  /** Does it; answers why not. */
  submit: (params: Values) => Promise<Failure | null>
  /** Told when the draft is taken back. */
  cleared?: () => void
}

const nothing = z.object({})
const nothingShown: Shown = { lines: null, below: null }

/** Where a draft comes to something else when it is open again (D542). */
const doesOtherwise =
  'Something changed since you typed this: these amounts do something else now. Change one, or send them as shown.'

/** What two people changed, with what is saved now (D544). */
const bothChanged = (fields: readonly Field[], saved: Values): Failure | null =>
  fields.length
    ? {
        sentence: `Somebody changed what you typed over: ${bothSay(fields, saved)}. Change it, or send it as shown.`,
        detail: null,
        stands: {},
      }
    : null

/** The form of a command: fields, steps, warning, confirmation and buttons. Knows no noun. */
export function CommandForm(props: CommandFormProps) {
  const [turn, setTurn] = useState(0)
  const schema = props.schema ?? nothing
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const wants = needChooser(fields)
  const { Found, failed, again } = useLater(chooser, wants)
  const clear = () => {
    dropDraft(props.command.id, props.targets)
    props.cleared?.()
    setTurn(turn + 1)
  }
  if (wants && failed) return <NotLoaded what="A part of the portal could not be loaded. Check the network." again={again} />
  if (wants && !Found) return <Loading what="Loading" />
  return <FormOf key={turn} {...props} schema={schema} fields={fields} clear={clear} />
}

interface FormOfProps extends CommandFormProps {
  schema: z.ZodObject
  fields: readonly Field[]
  /** Begins it again without the draft. */
  clear: () => void
}

function FormOf(props: FormOfProps) {
  const { command, targets, schema, fields, blocked, frozen, word, submit } = props
  const id = useId()
  const steps = stepsOf(fields)
  const [at, setAt] = useState(0)
  const { sending, slow, once } = useSending()
  const confirm = useConfirm(word)
  // A filter or a sort shows what is set, not what was once nearly chosen.
  const drafts = changes(command)
  const undrafted = useMemo(() => initialValues(fields, props.start), [fields, props.start])
  const [begun] = useState(() => {
    const valuesWith = (kept: Values | null) => initialValues(fields, withDraft(fields, undrafted, kept), props.params)
    const values = valuesWith(drafts ? draft(command.id, targets) : null)
    return { values, restored: JSON.stringify(values) !== JSON.stringify(valuesWith(null)) }
  })
  const [failure, setFailure] = useState<Failure | null>(() => {
    const sentence = begun.restored ? besideDraft('refused', command.id, targets) : null
    return sentence === null ? null : { sentence, detail: null, stands: {} }
  })
  const unsettled = failure?.stands ? failure.sentence : null
  useEffect(() => {
    if (drafts) keepBeside('refused', command.id, targets, unsettled)
  }, [drafts, command, targets, unsettled])
  const [untaken] = useState<Untaken>(() => new Map())
  const shownButton = useRef<HTMLButtonElement>(null)
  const form = useForm<Values>({
    defaultValues: begun.values,
    resolver: useMemo(() => judgeOf(schema, fields, untaken), [schema, fields, untaken]),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const { now, asks, asking, settle } = useMeanwhile(form, fields, undrafted, {
    command: drafts ? command.id : null,
    targets,
    restored: begun.restored,
  })
  const values = useTyped(form.control)
  const asked = fields.some(({ when }) => when) ? fields.filter((field) => isAsked(field, values)) : fields
  const visible = steps.length > 1 ? asked.filter((field) => (field.step ?? '') === steps[at]) : asked
  const shown = props.shown?.(values) ?? nothingShown
  const lines = shown.lines === 'reading' ? null : shown.lines
  const reading = shown.lines === 'reading' && visible[0]?.kind === 'rows'
  const seeAmounts = useSeenAmounts({ command, targets, restored: begun.restored, lines }, () =>
    // What can be sent no more is told at its line.
    setFailure((why) => why ?? (untaken.size ? null : { sentence: doesOtherwise, detail: null, stands: {} })),
  )
  const [head, ...behind] = visible
  const told = head?.kind === 'reference' && props.params?.[head.name] !== undefined
  const given = behind.length > 0 && (told || head?.settled === true)
  // What warns, cannot be undone and asks nothing has no default button either (D530).
  const careful = fields.length === 0 && changes(command) && !command.undo && Boolean(props.warning)
  const element = useFormFocus({
    at,
    frozen,
    reading,
    restored: begun.restored,
    given,
    careful,
    word,
    confirm: confirm.field.input,
  })
  const last = at >= steps.length - 1
  const singleLine = !fields.some((field) => field.kind === 'long-text' || field.kind === 'rows' || field.lines)
  // Enter chooses a file where it stands on one.
  const enters = singleLine && fields.length > 0 && fields.every(({ kind }) => kind !== 'file')

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          const amounts = fields.filter(({ kind }) => kind === 'money' || kind === 'rows')
          const settles = !amounts.length || amounts.some((field) => field.name === name)
          setFailure((why) => (why?.stands && settles ? null : why))
          if (drafts) seeAmounts()
        },
      }),
    [form, fields, drafts, seeAmounts],
  )

  // A refusal told how things stood: once it is told otherwise what may be done now, it is over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that this changed counts
  useEffect(() => setFailure((why) => (why?.stands ? why : null)), [blocked])

  useEffect(keepOverReload, [])
  useEffect(() => {
    const unread = unreadPaths(begun.values)
    if (unread.length) void form.trigger(unread)
  }, [form, begun])
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  const show = (why: Failure) => {
    if (gone.current && drafts && why.stands) {
      // What draws the form, and keeps what stands in it, went before the answer.
      keepDraft(command.id, targets, draftFrom(fields, { ...form.getValues(), ...why.stands }, now.current))
      keepBeside('refused', command.id, targets, why.sentence)
    }
    for (const [name, value] of Object.entries(why.stands ?? {})) form.setValue(name, value)
    const { byField, rest } = serverErrors(fields, why.errors)
    const detail = [why.detail, ...rest].filter(Boolean).join(' ') || null
    // What stands beside its field is not said twice.
    setFailure(detail === null && byField.some((each) => each.message === why.sentence) ? null : { ...why, detail })
    for (const { name, message } of byField) form.setError(name, { message })
    const [first] = byField
    if (first) toField(first.name.split('.')[0] as string)
  }
  const toField = (name: string) => {
    const step = steps.indexOf(fields.find((field) => field.name === name)?.step ?? '')
    if (step >= 0 && step !== at) setAt(step)
    // The field of another step is drawn first.
    setTimeout(() => form.setFocus(name), 0)
  }
  const sendIt = (asShown: boolean) =>
    form.handleSubmit(
      async (params) => {
        // Other amounts than those that were sent and refused are not sent by the same key once more (D522).
        if ((failure?.stands || asking()) && !asShown) return shownButton.current?.focus()
        // What is sent is what the person sees (D521).
        if (sending || blocked || frozen || !confirm.confirmed() || untaken.unhide?.()) return
        setFailure(null)
        const why = await once(() => submit(params))
        if (why) show(why)
      },
      (errors) => {
        const known = [...(shown.wrong?.keys() ?? [])].map((path) => path.split('.')[0])
        const wrong = fields.find(({ name }) => name in errors || known.includes(name))
        if (wrong) toField(wrong.name)
      },
    )
  const send = sendIt(false)
  const onward = async () => {
    if (last) return send()
    if (
      await form.trigger(
        visible.map((field) => field.name),
        { shouldFocus: true },
      )
    )
      setAt(at + 1)
  }

  const keys = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      popPage()
      return
    }
    if (event.key !== 'Enter') return
    const on = event.target as HTMLElement
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      if (!event.repeat && !(last && tooEarly(event.nativeEvent))) void holding(onward())
    } else if (on instanceof HTMLInputElement || ['listbox', 'grid'].includes(on.getAttribute('role') ?? '')) {
      event.preventDefault()
      // What cannot be taken back has no default button.
      if (event.repeat || (word !== null && last)) return
      // While nothing is chosen yet, Enter takes the choice it is pressed on.
      if (on instanceof HTMLInputElement && on.type === 'radio' && !on.checked) on.click()
      if (!singleLine) nextStop(element.current, on)?.focus()
      else if (!(last && tooEarly(event.nativeEvent))) void holding(onward())
    } else if (on instanceof HTMLButtonElement && event.repeat) event.preventDefault()
  }

  const asShown = () => {
    settle()
    // The button that was pressed goes.
    element.current?.querySelector<HTMLElement>('[data-go]')?.focus()
    void holding(sendIt(true)())
  }
  const toSettle = failure?.stands
    ? failure
    : bothChanged(
        fields.filter(({ name }) => asks.includes(name)),
        undrafted,
      )
  const lineOf = (why: Failure) => <FailureLine failure={why} asShown={asShown} button={shownButton} />
  return (
    <form
      ref={element}
      noValidate
      aria-busy={sending || frozen}
      data-waits={reading || undefined}
      data-money={shown.lines ? '' : undefined}
      aria-labelledby="form-title"
      onKeyDown={keys}
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
          {begun.restored && !frozen && <DraftRestored clear={props.clear} />}
          <div data-fields tabIndex={-1} className="grid grid-cols-2 gap-3.5 outline-none empty:absolute" inert={frozen}>
            {visible.map((field, index) => (
              <div key={field.name} className={standsHalf(visible, index) ? '' : 'col-span-2'}>
                <FormField
                  field={field}
                  control={form.control}
                  formId={id}
                  lines={lines}
                  wrong={shown.wrong}
                  untaken={untaken}
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
          {last && word !== null && !frozen && <ConfirmField {...confirm.field} />}
          {blocked && !frozen && (
            <Line tone="plain" icon="lock" alert>
              {blocked}
            </Line>
          )}
          {failure && !failure.stands && !frozen && lineOf(failure)}
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
          className={`btn ${(word === null && !careful) || !last ? 'btn-go' : ''}`}
          aria-disabled={blocked !== null || sending || frozen}
          onClick={() => void holding(onward())}
        >
          {last ? props.go : 'Continue'} <Kbd chord={enters && word === null ? 'Enter' : 'Mod+Enter'} />
        </button>
      </div>
    </form>
  )
}
