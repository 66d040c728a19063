import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Control, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import type { Field } from '#kernel/form.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { focusField } from '#portal/form/fields/field-focus.ts'
import { useConfirm } from '#portal/form/fields/confirm-field.tsx'
import { rebase } from '#portal/form/session/conflicts.ts'
import {
  type DraftName,
  storeDraft,
  storedBeside,
  storeQuestion,
  useSeenAmounts,
  withStoredDraft,
} from '#portal/form/session/drafts.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { isConflicted, type SessionEvent, sessionAfter, startSession, stateOf } from '#portal/form/session/session.ts'
import { comparable, type RefusedInput, serverErrors, type UnparsedInput, validateOf } from '#portal/form/session/validation.ts'
import { amountsChanged } from '#portal/form/session/value-text.ts'
import type { Values } from '#kernel/form-values.ts'
import { keptAs } from '#portal/form/session/values.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { store } from '#portal/platform/store.ts'
import { useStanding } from '#portal/ui/use-sending.ts'

interface ValuesOptions {
  schema: z.ZodObject
  fields: readonly Field[]
  /** When a field is validated first: before sending, or when it loses the focus. */
  mode: 'onSubmit' | 'onTouched'
  /** Null for a form without drafts. */
  draftName: DraftName | null
  /** The initial values, with those of a draft. */
  valuesWith: (draft: Values | null) => Values
}

export type FormValues = ReturnType<typeof useFormValues>

/** The typed values of a form in the form library, started from a draft and validated by the schema. */
export function useFormValues({ schema, fields, mode, draftName, valuesWith }: ValuesOptions) {
  const [name] = useState(draftName)
  const [{ values: initial, draft }] = useState(() => withStoredDraft(name, valuesWith))
  const [unparsed] = useState<UnparsedInput>(() => new Map())
  const [refused] = useState<RefusedInput>(() => new Map())
  const form = useForm<Values>({
    defaultValues: initial,
    resolver: useMemo(() => validateOf(schema, fields, unparsed, refused), [schema, fields, unparsed, refused]),
    mode,
    // The library would focus again in a timer, after the user has gone on.
    shouldFocusError: false,
  })
  return { form, fields, draftName: name, draft, initial, unparsed, refused }
}

/** All current values; re-renders with them. */
export function useTyped(control: Control<Values>): Values {
  const kept = useWatch({ control })
  return useMemo(() => Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value ?? undefined])), [kept])
}

/** What a shell is given by the code that opens the form. */
export interface ShellOptions {
  targets: Targets
  /** True while the outcome of a call is unknown. */
  frozen: boolean
  /** Sends the values; returns a failure, or null. */
  submit: (params: Values) => Promise<Failure | null>
}

interface SessionOptions extends Pick<ShellOptions, 'frozen' | 'submit'> {
  /** The values without input, as last read. */
  saved: Values
  /** Why it cannot be sent now. */
  blocked: string | null
  /** Whether the data that it shows are loading. */
  loading?: boolean
  /** The word to type for confirmation. */
  word: string | null
  /** The lines of a form about amounts; null while they are loading. */
  lines?: MoneyLines | null
  /** Errors known before sending, by path. */
  wrong?: ReadonlyMap<string, string> | undefined
  /** Whether the text of a refused field is selected. Not in the palette: keys typed ahead of the answer would replace it. */
  selects?: boolean
  /** Renders a field of a wizard's other step. */
  reveal?: (name: string) => void
  /** Whether valid values are not sent after all. */
  refuses?: () => boolean
  /** Called after the answer, while the form is rendered. */
  answered?: (failure: Failure | null) => void
  /** Whether the word confirms exactly these changes: it is cleared when none is left. */
  confirmsChanges?: boolean
  /** Has the focus once the form was sent as shown, since the button for that is removed. */
  home: () => HTMLElement | null | undefined
}

/** The session of a form: its state, its draft, and the way its values are sent. */
export function useFormSession(input: FormValues, options: SessionOptions) {
  const { form, fields, draftName, draft, initial, unparsed, refused } = input
  const { saved, blocked, frozen, loading = false } = options
  // An atom instead of `useReducer`: a second key press in the same frame must find the first one's state.
  const [sessionAtom] = useState(() => {
    const stored = draft && draftName ? storedBeside(draftName) : { seen: {}, failure: null }
    return atom(startSession(fields, saved, initial, stored))
  })
  const session = useAtomValue(sessionAtom)
  const now = useCallback(() => store.get(sessionAtom), [sessionAtom])
  const dispatch = useCallback(
    (event: SessionEvent) => store.set(sessionAtom, (before) => sessionAfter(before, event)),
    [sessionAtom],
  )
  const confirm = useConfirm(options.word)
  const standing = useStanding()
  const asShownButton = useRef<HTMLButtonElement>(null)
  const amountsSeen = useSeenAmounts(draftName, options.lines, draft !== null, (others) => {
    // An input that can no longer be sent is reported at its line.
    if (!unparsed.size) dispatch({ type: 'questioned', failure: { sentence: amountsChanged(others), detail: null, stands: {} } })
  })

  const onUnchanged = useRef(() => {})
  onUnchanged.current = () => options.confirmsChanges && confirm.clear()
  const keep = useCallback(
    (values: Values) => {
      if (draftName && !storeDraft(draftName, now(), values)) onUnchanged.current()
    },
    [draftName, now],
  )
  useEffect(() => {
    const values = form.getValues()
    const { seen, put } = rebase(fields, values, now(), saved)
    dispatch({ type: 'rebased', saved, seen, values: { ...values, ...put } })
    for (const [name, value] of Object.entries(put)) form.setValue(name, keptAs(value))
  }, [form, fields, now, dispatch, saved])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values, name }) => {
          dispatch({ type: 'typed', values, name: name?.split('.')[0] })
          keep(values)
          amountsSeen()
        },
      }),
    [form, dispatch, keep, amountsSeen],
  )
  const { failure } = session
  useEffect(() => {
    if (draftName) storeQuestion(draftName, failure)
  }, [draftName, failure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the availability changes
  useEffect(() => dispatch({ type: 'availability-changed' }), [blocked, dispatch])

  const toField = (name: string) => {
    flushSync(() => options.reveal?.(name))
    const field = fields.find((each) => each.name === name)
    const selects = options.selects && field?.kind !== 'long-text' && !field?.lines
    const from = document.activeElement
    const focus = () => {
      if (document.activeElement !== from) return
      focusField(form.control, name)
      const has = document.activeElement
      if (selects && has instanceof HTMLInputElement) has.select()
    }
    // At once, before the message is rendered: the next key is for this field. The wrong cell of a table is known once its errors
    // are rendered; meanwhile the user may have gone elsewhere.
    if (field?.kind === 'table' || field?.kind === 'rows') setTimeout(focus, 0)
    else focus()
  }
  const show = (why: Failure) => {
    for (const [name, value] of Object.entries(why.stands ?? {})) form.setValue(name, value)
    const { byField, rest } = serverErrors(fields, why.errors)
    const detail = [why.detail, ...rest].filter(Boolean).join(' ') || null
    const isAtField = detail === null && byField.some(({ message }) => message === why.sentence)
    dispatch({ type: 'refused', failure: isAtField ? null : { ...why, detail } })
    for (const { name, message } of byField) {
      refused.set(name, { value: comparable(form.getValues(name)), message })
      form.setError(name, { type: 'server', message })
    }
    // A cell is reached through its field, once that shows its errors.
    if (byField[0]) toField(byField[0].name.split('.')[0] as string)
  }
  const sendValid = async (params: Values) => {
    if (blocked !== null) return
    // After a change by somebody else nothing is sent by the same key again.
    if (isConflicted(now())) return asShownButton.current?.focus()
    // Only values that the user sees are sent.
    if (options.refuses?.() || !confirm.confirmed() || unparsed.unhide?.()) return
    dispatch({ type: 'sent' })
    const why = await options.submit(params)
    if (standing.current) {
      if (why) show(why)
      options.answered?.(why)
    } else if (why?.stands && draftName) {
      // Nothing renders the form any more, so nothing else stores what has to be settled.
      storeDraft(draftName, now(), { ...form.getValues(), ...why.stands })
      storeQuestion(draftName, why)
    }
  }
  const send = async () => {
    if (frozen || now().submitting) return
    dispatch({ type: 'began' })
    refused.clear()
    const toFirstWrong = (errors: object) => {
      const known = [...(options.wrong?.keys() ?? [])].map((path) => path.split('.')[0])
      const first = fields.find(({ name }) => name in errors || known.includes(name))
      if (first) toField(first.name)
    }
    // Errors are shown even if something else blocks the form.
    await form
      .handleSubmit(sendValid, toFirstWrong)()
      .finally(() => dispatch({ type: 'ended' }))
  }
  const sendAsShown = () => {
    if (frozen || blocked !== null) return
    dispatch({ type: 'settled' })
    keep(form.getValues())
    options.home()?.focus()
    void blockKeysWhile(send())
  }
  const state = stateOf(session, { loading, unknown: frozen })
  return { session, state, dispatch, confirm, asShownButton, send, sendAsShown, toField }
}
