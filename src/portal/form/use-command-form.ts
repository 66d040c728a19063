import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { wholeNumber } from '#domain/text.ts'
import { changes, type Command } from '#kernel/command.ts'
import { type Field, stepsOf } from '#kernel/form.ts'
import { useConfirm } from '#portal/form/confirm-field.tsx'
import { tooEarly, tooEarlyOnButton } from '#portal/hotkeys/form-drawn.ts'
import type { MoneyLine } from '#kernel/money-lines.ts'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { initialValues, serverErrors, unreadPaths } from '#portal/form/form-values.ts'
import { goTo } from '#portal/form/go-to.ts'
import { validateOf, type UnparsedInput } from '#portal/form/validation.ts'
import { bothSay, draftFrom, isAsked, useTyped, withDraft } from '#portal/form/page-values.ts'
import type { FormPreview } from '#portal/form/form-preview.ts'
import { nextStop, useFormFocus } from '#portal/form/use-form-focus.ts'
import { useConflicts } from '#portal/form/use-conflicts.ts'
import { useSeenAmounts } from '#portal/form/use-seen-amounts.ts'
import { besideDraft, draft, keepBeside, keepDraft } from '#portal/commands/drafts.ts'
import { keepOverReload } from '#portal/commands/reopen-form.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { popPage } from '#portal/commands/palette-state.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { useSending } from '#portal/ui/use-sending.ts'

export interface CommandFormState {
  command: Command
  targets: Targets
  start: Values
  /** Values from a link or the palette. */
  params: Values | undefined
  /** The preview of the current values. */
  shown?: (values: Values) => FormPreview
  /** Why it cannot be sent now. */
  blocked: string | null
  warning: string | null
  /** The word to type for confirmation. */
  word: string | null
  /** True while the outcome of a call is unknown. */
  frozen: boolean
  /** Sends the values; returns a failure, or null. */
  submit: (params: Values) => Promise<Failure | null>
}

const nothingShown: FormPreview = { lines: null, below: null }

/** The message if the amounts of a draft have changed when it is opened again (D542). */
function amountsChanged(lines: readonly MoneyLine[]): string {
  const [few, more] = [lines.slice(0, 3).map(({ title }) => title), lines.length - 3]
  const which = few.length
    ? `the amounts of ${few.join(', ')}${more > 0 ? ` and ${wholeNumber(more)} more` : ''}`
    : 'these amounts'
  return `Something changed since you typed this: ${which} do something else now. Change one, or send them as shown.`
}

/** The conflicting fields, with the values saved now (D544). */
const conflictOf = (fields: readonly Field[], saved: Values): Failure | null =>
  fields.length
    ? {
        sentence: `Somebody changed what you typed over: ${bothSay(fields, saved)}. Change it, or send it as shown.`,
        detail: null,
        stands: {},
      }
    : null

/**
 * The initial values of the form, and whether they include a draft; a filter or a sort has none, since its form shows what is
 * set.
 */
function useInitial({ command, targets, params }: CommandFormState, fields: readonly Field[], undrafted: Values) {
  const [initial] = useState(() => {
    const valuesWith = (kept: Values | null) => initialValues(fields, withDraft(fields, undrafted, kept), params)
    const values = valuesWith(changes(command) ? draft(command.id, targets) : null)
    return { values, restored: JSON.stringify(values) !== JSON.stringify(valuesWith(null)) }
  })
  return initial
}

/** Why the last send failed. What has to be settled before the next one is stored beside the draft (D539). */
function useFailure({ command, targets }: CommandFormState, restored: boolean) {
  const [failure, setFailure] = useState<Failure | null>(() => {
    const sentence = restored ? besideDraft('refused', command.id, targets) : null
    return sentence === null ? null : { sentence, detail: null, stands: {} }
  })
  const unsettled = failure?.stands ? failure.sentence : null
  useEffect(() => {
    if (changes(command)) keepBeside('refused', command.id, targets, unsettled)
  }, [command, targets, unsettled])
  return [failure, setFailure] as const
}

/** Whether the form was unmounted before an answer arrived. */
function useUnmounted(): RefObject<boolean> {
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return gone
}

/** The keys of a form. Neither keys typed ahead of the last step nor a held key send it. */
function keysOf(
  element: RefObject<HTMLFormElement | null>,
  { last, singleLine, byEnter, onward }: { last: boolean; singleLine: boolean; byEnter: boolean; onward: () => Promise<void> },
  ignoredPress: RefObject<boolean>,
) {
  const goOn = (event: KeyboardEvent) => {
    if (!(last && tooEarly(event.nativeEvent))) void blockKeysWhile(onward())
  }
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      popPage()
      return
    }
    const on = event.target as HTMLElement
    const presses = last && on.matches('[data-go]') && (event.key === 'Enter' || event.key === ' ')
    // The browser clicks on the keyup of Space, even if its keydown was prevented.
    ignoredPress.current = presses && !(event.ctrlKey || event.metaKey) && tooEarlyOnButton(event.nativeEvent)
    if (ignoredPress.current) return event.preventDefault()
    if (event.key !== 'Enter') return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      if (!event.repeat) goOn(event)
    } else if (on instanceof HTMLInputElement || ['listbox', 'grid'].includes(on.getAttribute('role') ?? '')) {
      event.preventDefault()
      if (event.repeat || !byEnter) return
      // While no option is checked, Enter checks the focused one.
      if (on instanceof HTMLInputElement && on.type === 'radio' && !on.checked) on.click()
      if (!singleLine) goTo(nextStop(element.current, on))
      else goOn(event)
    } else if (on instanceof HTMLButtonElement && event.repeat) event.preventDefault()
  }
}

/** The state of a command's form: fields and steps, draft, errors, and the actions of its keys and buttons. */
export function useCommandForm(props: CommandFormState, schema: z.ZodObject, fields: readonly Field[]) {
  const { command, targets, blocked, frozen, word, submit } = props
  const steps = stepsOf(fields)
  const [at, setAt] = useState(() => Math.max(0, steps.indexOf(command.firstStep ?? '')))
  const { sending, slow, once } = useSending()
  const confirm = useConfirm(word)
  const drafts = changes(command)
  const undrafted = useMemo(() => initialValues(fields, props.start), [fields, props.start])
  const initial = useInitial(props, fields, undrafted)
  const [failure, setFailure] = useFailure(props, initial.restored)
  const [unparsed] = useState<UnparsedInput>(() => new Map())
  const shownButton = useRef<HTMLButtonElement>(null)
  const ignoredPress = useRef(false)
  const form: UseFormReturn<Values> = useForm<Values>({
    defaultValues: initial.values,
    resolver: useMemo(() => validateOf(schema, fields, unparsed), [schema, fields, unparsed]),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const { now, asks, asking, settle } = useConflicts(form, fields, undrafted, {
    command: drafts ? command.id : null,
    targets,
    restored: initial.restored,
  })
  const values = useTyped(form.control)
  const asked = fields.some(({ when }) => when) ? fields.filter((field) => isAsked(field, values)) : fields
  const visible = steps.length > 1 ? asked.filter((field) => (field.step ?? '') === steps[at]) : asked
  const shown = props.shown?.(values) ?? nothingShown
  const lines = shown.lines === 'reading' ? null : shown.lines
  const reading = shown.lines === 'reading' && visible[0]?.kind === 'rows'
  const seeAmounts = useSeenAmounts({ command, targets, restored: initial.restored, lines }, (others) =>
    // An input that can no longer be sent is reported at its line.
    setFailure((why) => why ?? (unparsed.size ? null : { sentence: amountsChanged(others), detail: null, stands: {} })),
  )
  const [head, ...behind] = visible
  const isGiven = head?.kind === 'reference' && props.params?.[head.name] !== undefined
  const given = behind.length > 0 && (isGiven || head?.settled === true)
  // A form with a warning, no undo and no fields has no default button either (D530).
  const careful = fields.length === 0 && changes(command) && !command.undo && Boolean(props.warning)
  const element = useFormFocus({
    at,
    frozen,
    reading,
    restored: initial.restored,
    given,
    careful,
    word,
    confirm: confirm.field.input,
  })
  const last = at >= steps.length - 1
  const singleLine = !fields.some((field) => field.kind === 'long-text' || field.kind === 'rows' || field.lines)
  // On a file input, Enter opens the file dialog.
  const enters = singleLine && !careful && fields.every(({ kind }) => kind !== 'file')

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
    [form, fields, drafts, seeAmounts, setFailure],
  )

  // A refusal describes an earlier state: it is dropped when the availability changes. While the form is blocked the reason for that
  // is shown instead, whichever of the two arrives first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever this changes
  useEffect(() => setFailure((why) => (why?.stands ? why : null)), [blocked])

  useEffect(keepOverReload, [])
  useEffect(() => {
    const unread = unreadPaths(initial.values)
    if (unread.length) void form.trigger(unread)
  }, [form, initial])
  const gone = useUnmounted()
  const show = (why: Failure) => {
    if (gone.current && drafts && why.stands) {
      // The component that renders the form and stores its draft was unmounted before the answer.
      keepDraft(command.id, targets, draftFrom(fields, { ...form.getValues(), ...why.stands }, now.current))
      keepBeside('refused', command.id, targets, why.sentence)
    }
    for (const [name, value] of Object.entries(why.stands ?? {})) form.setValue(name, value)
    const { byField, rest } = serverErrors(fields, why.errors)
    const detail = [why.detail, ...rest].filter(Boolean).join(' ') || null
    // A message shown at its field is not repeated.
    setFailure(detail === null && byField.some((each) => each.message === why.sentence) ? null : { ...why, detail })
    for (const { name, message } of byField) form.setError(name, { message })
    const [first] = byField
    if (first) toField(first.name.split('.')[0] as string)
  }
  const toField = (name: string) => {
    const step = steps.indexOf(fields.find((field) => field.name === name)?.step ?? '')
    if (step >= 0 && step !== at) setAt(step)
    // The field of another step has to render first.
    setTimeout(() => form.setFocus(name), 0)
  }
  const sendIt = (asShown: boolean) =>
    form.handleSubmit(
      async (params) => {
        // After a refusal, changed amounts are not sent by the same key again (D522).
        if ((failure?.stands || asking()) && !asShown) return shownButton.current?.focus()
        // Only values that the user sees are sent (D521).
        if (sending || blocked || frozen || !confirm.confirmed() || unparsed.unhide?.()) return
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

  const asShown = () => {
    settle()
    // The pressed button is removed.
    element.current?.querySelector<HTMLElement>('[data-go]')?.focus()
    void blockKeysWhile(sendIt(true)())
  }
  const toSettle = failure?.stands
    ? failure
    : conflictOf(
        fields.filter(({ name }) => asks.includes(name)),
        undrafted,
      )
  return {
    form,
    element,
    unparsed,
    steps,
    at,
    setAt,
    last,
    visible,
    shown,
    lines,
    reading,
    restored: initial.restored,
    failure,
    toSettle,
    asShown,
    shownButton,
    confirm,
    sending,
    slow,
    careful,
    enters,
    onward: ({ detail }: { detail: number }) => {
      const byPointer = detail > 0
      if (byPointer || !ignoredPress.current) void blockKeysWhile(onward())
    },
    // An irreversible command has no default button.
    keys: keysOf(element, { last, singleLine, byEnter: word === null || !last, onward }, ignoredPress),
  }
}
