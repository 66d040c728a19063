import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type Field, fieldsOf } from '#kernel/form.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { focusField } from '#portal/form/fields/field-focus.ts'
import { goTo } from '#portal/form/fields/go-to.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { type ShellOptions, useFormSession, useFormValues } from '#portal/form/session/use-session.ts'
import { useRevalidation } from '#portal/form/session/validation.ts'
import { activeValues, type Values } from '#kernel/form-values.ts'
import { changed, givenIn, isShown, keptAs, readable, same, sectionsOf, withDraft } from '#portal/form/session/values.ts'
import { tellFormDrawn, tooEarly } from '#portal/hotkeys/form-drawn.ts'
import { useEscape } from '#portal/ui/use-escape.ts'
import { focusOf, takesText } from '#portal/keyboard/focus.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { searchParams } from '#portal/platform/location.ts'
import { showToast } from '#portal/platform/toasts.ts'

export interface PageFormOptions extends ShellOptions {
  page: AnyPageForm
  saved: Values
  /** Values derived from the typed ones; none without it. */
  follows?: (params: Values) => Values
  /** What a save makes irreversible, and the word that confirms it. */
  confirms: { sentence: string; word: string } | null
  /** Why it cannot be saved now. */
  blocked: string | null
  leave: () => void
}

type Form = UseFormReturn<Values>
type Fields = readonly Field[]
type Element = RefObject<HTMLFormElement | null>

/** The first focusable element of a section or a field; the hash of the address may name either. */
const firstIn = (form: HTMLElement | null, name: string): HTMLElement | undefined => {
  const parts = [...(form?.querySelectorAll<HTMLElement>('[data-section], [data-field]') ?? [])]
  return stopsOf(parts.find(({ dataset }) => dataset['section'] === name || dataset['field'] === name) ?? null)[0]
}

/** Fields and buttons in tab order: of a radio group the checked button, or the first. */
const stopsOf = (within: HTMLElement | null): HTMLElement[] =>
  [
    ...(within?.querySelectorAll<HTMLElement>(
      '.page-row :is(input, select, textarea, button:is(.field, .field-add), [role=switch]), .page-confirm input',
    ) ?? []),
  ].filter((stop) => {
    if (!(stop instanceof HTMLInputElement) || stop.type !== 'radio' || stop.checked) return true
    const group = [...(stop.closest('.page-row')?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])]
    return group[0] === stop && !group.some(({ checked }) => checked)
  })

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

/**
 * The focus is lost while the form is frozen: it returns to its last element, unless the user has moved it. Returns the callback
 * that notes the focus.
 */
function useFocusRestored(element: Element, frozen: boolean) {
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (frozen || last.current === null || document.activeElement !== document.body) return
    if (last.current.isConnected) last.current.focus()
    else element.current?.focus()
  }, [element, frozen])
  return ({ target }: FocusEvent<HTMLElement>) => {
    last.current = target
  }
}

/** Derived values fill a field that is empty or still has the last derived value. */
function useDerivedValues(form: Form, fields: Fields, follows: PageFormOptions['follows']): void {
  const latest = useRef(follows)
  latest.current = follows
  useEffect(() => {
    const derived = (values: Values): Values => latest.current?.(readable(activeValues(fields, values))) ?? {}
    let last = derived(form.getValues())
    const follow = (values: Values) => {
      const [before, next] = [last, derived(values)]
      // Incomplete input derives nothing: the previous derived values still count as such.
      last = { ...before, ...next }
      for (const [name, value] of Object.entries(next)) {
        const has = form.getValues(name)
        if (((has ?? '') === '' || same(has, before[name])) && !same(has, value)) form.setValue(name, keptAs(value))
      }
    }
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => follow(values) })
  }, [form, fields])
}

/** Navigation of a page: to the next problem, to the next section, to a section by its name. */
function navigationIn(form: Form, fields: Fields, element: Element, toField: (name: string) => void) {
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
  return { toSection, nextProblem, nextSection }
}

/** The keys of a page: keys typed ahead of the form do not save. */
function keysOf(element: Element, does: Record<'nextProblem' | 'nextSection' | 'save', () => void>) {
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    const { key, target } = event
    const take = (act: () => void) => {
      event.preventDefault()
      act()
    }
    if (key === 'F8') take(does.nextProblem)
    else if (key === 'F6') take(does.nextSection)
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey))
      take(() => void (event.repeat || tooEarly(event.nativeEvent) || does.save()))
    else if (key === 'Enter' && target instanceof HTMLInputElement) {
      const stops = stopsOf(element.current)
      const next = stops[stops.indexOf(target) + 1]
      // What is confirmed by typing has no default button.
      const saves = !next && !target.closest('.page-confirm') && !event.repeat && !tooEarly(event.nativeEvent)
      take(() => (saves ? does.save() : goTo(next)))
    }
  }
}

/** Stable callbacks for the rows of a page, so that only the row that changes renders. */
function useRowActions(form: Form, saved: Values) {
  const check = useCallback((name: string) => void form.trigger(name), [form])
  const restore = useCallback(
    ({ name }: Field) => {
      form.setValue(name, keptAs(saved[name]), { shouldValidate: true })
      setTimeout(() => focusField(form.control, name), 0)
    },
    [form, saved],
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

/** The session of a page form, with its sections, derived values, focus and keys. */
export function usePageSession(props: PageFormOptions, element: Element) {
  const { page, targets, saved, confirms, frozen, follows } = props
  // Why it cannot be saved, according to what is shown beside the form.
  const [refused, refuse] = useState<string | null>(null)
  const blocked = props.blocked ?? refused
  const fields = useMemo(() => fieldsOf(page.form), [page])
  const sections = useMemo(() => sectionsOf(fields), [fields])
  const [given] = useState(() => givenIn(fields, searchParams()))
  // Each choice in the address has a draft of its own.
  const draftName = { command: [page.command.id, ...Object.values(given)].join('.'), targets }
  const [turn, setTurn] = useState(0)
  const values = useFormValues({
    schema: page.form,
    fields,
    mode: 'onTouched',
    draftName,
    valuesWith: (draft) => withDraft(fields, { ...saved, ...given }, draft),
  })
  const { form, draft } = values
  useFirstFocus(element, form, fields, draft)
  const noteFocus = useFocusRestored(element, frozen)
  const sent = useRef<Values>({})
  const formSession = useFormSession(values, {
    saved,
    blocked,
    frozen,
    word: confirms?.word ?? null,
    selects: true,
    refuses: () => {
      const isUnchanged = !changed(fields, form.getValues(), saved).length
      if (isUnchanged) showToast('There is nothing to save.')
      return isUnchanged
    },
    submit: async (params) => {
      sent.current = structuredClone(form.getValues())
      const failure = await props.submit(params)
      if (failure) return inFields(failure, page, fields, saved)
      dropDraft(draftName.command, targets)
      return null
    },
    answered: (failure) => {
      if (!failure) {
        dispatch({ type: 'saved', values: sent.current })
        confirm.clear()
      }
      // The confirmation field, which may have had the focus, has been removed.
      if (confirms && !failure) element.current?.focus()
      else if (confirms) setTimeout(() => document.activeElement === document.body && element.current?.focus())
    },
    confirmsChanges: true,
    home: () => element.current,
  })
  const { session, dispatch, confirm, send, toField } = formSession
  useDerivedValues(form, fields, follows)
  const left = useRevalidation(form, fields, saved, draft)
  const ways = navigationIn(form, fields, element, toField)

  const discard = () => {
    form.reset(saved)
    dispatch({ type: 'saved', values: saved })
    dropDraft(draftName.command, targets)
    // Text that could not be parsed goes with its input.
    setTurn(turn + 1)
    element.current?.focus()
  }
  const away = () => {
    const count = changed(fields, form.getValues(), saved).length
    // The outcome of a save in flight is reported by the code that runs it.
    if (count && !session.submitting)
      showToast(`Not saved: ${count} ${count === 1 ? 'change is' : 'changes are'} kept as a draft.`)
    props.leave()
  }
  useEscape(away)
  const save = () => void blockKeysWhile(send())
  return {
    ...values,
    ...formSession,
    ...ways,
    ...useRowActions(form, saved),
    keys: keysOf(element, { ...ways, save }),
    sections,
    turn,
    blocked,
    refuse,
    discard,
    save,
    left,
    noteFocus,
  }
}

/** A failure with its errors at the fields of the page, and the names of those that somebody else has changed. */
function inFields(failure: Failure, { fieldAt = (path) => path }: AnyPageForm, fields: Fields, before: Values): Failure {
  const errors = failure.errors?.map(({ path, message }) => ({ path: fieldAt(path), message }))
  const theirs = failure.meanwhile ? changed(fields, failure.meanwhile, before).map(({ title }) => title) : []
  const named = theirs.length > 0 && `Changed: ${theirs.join(', ')}.`
  return { ...failure, detail: [named, failure.detail].filter(Boolean).join(' ') || null, ...(errors ? { errors } : {}) }
}
