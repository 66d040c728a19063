import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type Field, fieldsOf } from '#kernel/form.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import { draft, dropDraft } from '#portal/commands/drafts.ts'
import { useConfirm } from '#portal/form/confirm-field.tsx'
import { tellFormDrawn, tooEarly } from '#portal/hotkeys/form-drawn.ts'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { keptAs, readable, serverErrors } from '#portal/form/form-values.ts'
import { goTo } from '#portal/form/go-to.ts'
import { validateOf, type UnparsedInput } from '#portal/form/validation.ts'
import { firstIn, stopsOf } from '#portal/form/page-stops.ts'
import { changed, givenIn, activeValues, isShown, same, sectionsOf, withDraft } from '#portal/form/page-values.ts'
import { rowByRow } from '#portal/form/row-by-row.ts'
import { useConflicts } from '#portal/form/use-conflicts.ts'
import { byServer, useRevalidation } from '#portal/form/use-revalidation.ts'
import { focusOf, takesText } from '#portal/keyboard/focus.ts'
import { blockKeysWhile as keysWait } from '#portal/keyboard/hold.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { searchParams } from '#portal/platform/location.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { useSending } from '#portal/ui/use-sending.ts'

export interface PageFormState {
  page: AnyPageForm
  targets: Targets
  saved: Values
  /** Values derived from the typed ones; none without it. */
  follows?: (params: Values) => Values
  /** What a save makes irreversible, and the word that confirms it. */
  confirms: { sentence: string; word: string } | null
  /** Why it cannot be saved now. */
  blocked: string | null
  /** True while the outcome of a call is unknown. */
  frozen: boolean
  /** Saves the values; returns a failure, or null. */
  submit: (params: Values) => Promise<Failure | null>
  leave: () => void
}

type Form = UseFormReturn<Values>
type Fields = readonly Field[]
type Element = RefObject<HTMLFormElement | null>

const nothingDerived = (): Values => ({})

/** The form of the library, validated by the schema of the page. */
function useFields(page: AnyPageForm, fields: Fields, begin: Values, unparsed: UnparsedInput): Form {
  return useForm<Values>({
    defaultValues: begin,
    resolver: useMemo(() => validateOf(page.form, fields, unparsed), [page, fields, unparsed]),
    mode: 'onTouched',
  })
}

/** Initial focus: the field that the address names, or one restored from a draft, whose text is selected. */
function useFirstFocus(element: Element, form: Form, fields: Fields, initialDraft: Values | null): void {
  useLayoutEffect(() => {
    tellFormDrawn()
    const asked = location.hash.slice(1)
    const has = document.activeElement
    if (focusOf(has) === 'dialog' || takesText(has)) return
    const back = initialDraft && fields.find(({ name }) => name in initialDraft)
    if (back) form.setFocus(back.name, { shouldSelect: true })
    else goTo(firstIn(element.current, asked) ?? stopsOf(element.current)[0])
  }, [element, initialDraft, fields, form])
}

/** The focus is lost while the form is frozen: it returns to its last element, unless the user has moved it. */
function useFocusRestored(element: Element, frozen: boolean): void {
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const form = element.current
    const note = ({ target }: FocusEvent) => {
      last.current = target as HTMLElement
    }
    form?.addEventListener('focusin', note)
    return () => form?.removeEventListener('focusin', note)
  }, [element])
  useEffect(() => {
    if (frozen || last.current === null || document.activeElement !== document.body) return
    if (last.current.isConnected) last.current.focus()
    else element.current?.focus()
  }, [element, frozen])
}

/** Derived values fill a field that is empty or still has the last derived value. */
function useDerivedValues(form: Form, fields: Fields, follows: (params: Values) => Values): void {
  const following = useRef({ follows, last: {} as Values })
  useEffect(() => {
    following.current.follows = follows
  })
  useEffect(() => {
    const readNow = (values: Values) => following.current.follows(readable(activeValues(fields, values)))
    const follow = (values: Values) => {
      const { last } = following.current
      const next = readNow(values)
      // Incomplete input derives nothing: the previous derived values still count as such.
      following.current.last = { ...last, ...next }
      for (const [name, value] of Object.entries(next)) {
        const has = form.getValues(name)
        if (((has ?? '') === '' || same(has, last[name])) && !same(has, value)) form.setValue(name, keptAs(value))
      }
    }
    following.current.last = readNow(form.getValues())
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => follow(values) })
  }, [form, fields])
}

/** Navigation of a page: to the next problem, to the next section, to a section by its name. */
function navigationIn(form: Form, fields: Fields, element: Element) {
  const toField = (name: string) => {
    const field = fields.find((each) => each.name === name)
    const isLine = field?.kind !== 'long-text' && !field?.lines
    const before = form.getValues(name)
    const select = () => {
      const has = document.activeElement
      // Text typed in the meantime is not selected: the next key would replace it.
      if (isLine && has instanceof HTMLInputElement && same(form.getValues(name), before)) has.select()
    }
    // `setFocus` focuses in a timer of its own, after which this one runs.
    setTimeout(() => {
      form.setFocus(name)
      setTimeout(select, 0)
    }, 0)
  }
  const toSection = (name: string) => goTo(firstIn(element.current, name))
  const here = (part: 'field' | 'section') =>
    document.activeElement?.closest<HTMLElement>(`[data-${part}]`)?.dataset[part] ?? (part === 'section' ? '' : undefined)
  const nextProblem = () => {
    const wrong = fields.filter(({ name }) => form.getFieldState(name).invalid)
    const next = wrong[(wrong.findIndex(({ name }) => name === here('field')) + 1) % wrong.length]
    if (next) toField(next.name)
  }
  const nextSection = () => {
    const asked = sectionsOf(fields.filter((field) => isShown(field, form.getValues())))
    const next = asked[(asked.indexOf(here('section') as string) + 1) % asked.length]
    if (next !== undefined) toSection(next)
  }
  return { toField, toSection, nextProblem, nextSection }
}

/** The keys of a page: keys typed ahead of the form do not save. */
function keysOf(element: Element, does: Record<'away' | 'nextProblem' | 'nextSection' | 'save', () => void>) {
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    const { key, target } = event
    const take = (act: () => void) => {
      event.preventDefault()
      act()
    }
    if (key === 'Escape') take(does.away)
    else if (key === 'F8') take(does.nextProblem)
    else if (key === 'F6') take(does.nextSection)
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey))
      take(() => void (event.repeat || tooEarly(event.nativeEvent) || does.save()))
    else if (key === 'Enter' && target instanceof HTMLInputElement) {
      const stops = stopsOf(element.current)
      take(() => goTo(stops[stops.indexOf(target) + 1]))
    }
  }
}

/** Stable callbacks for the rows of a page, so that only the row that changes renders. */
function useRowActions(form: Form, now: RefObject<Values>) {
  const check = useCallback((name: string) => void form.trigger(name), [form])
  const restore = useCallback(
    ({ name }: Field) => {
      form.setValue(name, keptAs(now.current[name]), { shouldValidate: true })
      setTimeout(() => form.setFocus(name), 0)
    },
    [form, now],
  )
  const set = useCallback(
    (values: Values) => {
      // Validates again the fields that were missing or invalid.
      for (const [name, value] of Object.entries(values))
        form.setValue(name, keptAs(value), { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid })
    },
    [form],
  )
  return { check, restore, set }
}

/** The state of a page form: fields, draft, errors, and the actions of its keys and buttons. */
export function usePageForm(props: PageFormState, element: Element) {
  const { page, targets, saved, confirms, frozen, follows = nothingDerived } = props
  const [refused, refuse] = useState<string | null>(null)
  const blocked = props.blocked ?? refused
  const fields = useMemo(() => fieldsOf(page.form), [page])
  const sections = useMemo(() => sectionsOf(fields), [fields])
  const [given] = useState(() => givenIn(fields, searchParams()))
  // Each choice in the address has a draft of its own.
  const command = [page.command.id, ...Object.values(given)].join('.')
  const [initialDraft] = useState(() => draft(command, targets))
  const { sending, standing, once } = useSending()
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  const confirm = useConfirm(confirms?.word ?? null)
  const [unparsed] = useState<UnparsedInput>(() => new Map())
  const form = useFields(page, fields, withDraft(fields, { ...saved, ...given }, initialDraft), unparsed)
  useFirstFocus(element, form, fields, initialDraft)
  useFocusRestored(element, frozen)
  // The confirmation was for changes that are gone: other changes need a new one.
  const { now, asks, asking, settle, sent } = useConflicts(form, fields, saved, {
    command,
    targets,
    restored: initialDraft !== null,
    merge: rowByRow,
    gone: confirm.clear,
  })
  const shownButton = useRef<HTMLButtonElement>(null)
  useDerivedValues(form, fields, follows)
  const left = useRevalidation(form, fields, now, initialDraft)
  const ways = navigationIn(form, fields, element)

  const discard = () => {
    form.reset(saved)
    sent(saved)
    dropDraft(command, targets)
    setFailure(null)
    // Text that could not be parsed goes with its input.
    setTurn(turn + 1)
    element.current?.focus()
  }
  const away = () => {
    const left = changed(fields, form.getValues(), now.current).length
    // The outcome of a save in flight is reported by the code that runs it.
    if (left && !sending) showToast(`Not saved: ${left} ${left === 1 ? 'change is' : 'changes are'} kept as a draft.`)
    props.leave()
  }
  const show = (why: Failure, before: Values) => {
    const { fieldAt = (path: string) => path } = page
    const { byField, rest } = serverErrors(
      fields,
      why.errors?.map(({ path, message }) => ({ path: fieldAt(path), message })),
    )
    const theirs = why.meanwhile ? changed(fields, why.meanwhile, before).map(({ title }) => title) : []
    const named = theirs.length > 0 && `Changed: ${theirs.join(', ')}.`
    const detail = [named, why.detail, ...rest].filter(Boolean).join(' ') || null
    // A message shown at its field is not repeated.
    setFailure(detail === null && byField.some(({ message }) => message === why.sentence) ? null : { ...why, detail })
    for (const { name, message } of byField) form.setError(name, { type: byServer, message })
    // A cell is reached through its table, once that shows its errors.
    if (byField[0]) ways.toField(byField[0].name.split('.')[0] as string)
  }
  const send = form.handleSubmit(
    async (params) => {
      if (blocked) return
      // Values saved by another user are not overwritten by the same key again (D546).
      if (asking()) return shownButton.current?.focus()
      if (!changed(fields, form.getValues(), now.current).length) return showToast('There is nothing to save.')
      if (!confirm.confirmed()) return
      setFailure(null)
      const [before, values] = [now.current, structuredClone(form.getValues())]
      const why = await props.submit(params)
      if (!why) dropDraft(command, targets)
      if (!standing.current) return
      if (why) {
        show(why, before)
        // The confirmation field may have been removed while it had the focus.
        if (confirms) setTimeout(() => document.activeElement === document.body && element.current?.focus())
        return
      }
      sent(values)
      confirm.clear()
      // The confirmation field has been removed.
      if (confirms) element.current?.focus()
    },
    (errors) => {
      const wrong = fields.find((field) => field.name in errors)
      if (wrong) ways.toField(wrong.name)
    },
  )
  // Runs once at a time from the keypress on, since validation takes a while, too. Errors are shown even if something else blocks
  // the save.
  const saveOnce = async () => {
    if (!frozen) await once(send)
  }
  const save = () => void keysWait(saveOnce())
  const asShown = () => {
    settle()
    // The pressed button is removed.
    element.current?.focus()
    save()
  }
  return {
    ...ways,
    ...useRowActions(form, now),
    control: form.control,
    unparsed,
    keys: keysOf(element, { ...ways, away, save }),
    fields,
    sections,
    initialDraft,
    turn,
    failure,
    confirm,
    sending,
    blocked,
    refuse,
    discard,
    save,
    left,
    asks,
    asShown,
    shownButton,
  }
}
