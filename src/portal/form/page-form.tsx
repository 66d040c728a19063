import { zodResolver } from '@hookform/resolvers/zod'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Control, type Resolver, useForm } from 'react-hook-form'
import { type Field, fieldsOf } from '#kernel/form.ts'
import type { AnyPageForm, PagePreview } from '#kernel/page-form.ts'
import { draft, dropDraft, keepDraft } from '#portal/commands/drafts.ts'
import { ConfirmField, useConfirm } from '#portal/form/confirm-field.tsx'
import { tellFormDrawn, tooEarly } from '#portal/form/drawn.ts'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { keptAs, readable, serverErrors } from '#portal/form/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { Aside, Problems, Restored, SaveBar, Sections } from '#portal/form/page-parts.tsx'
import { PageRow } from '#portal/form/page-row.tsx'
import { changed, draftFrom, givenIn, holding, isShown, same, sectionsOf, useTyped, withDraft } from '#portal/form/page-values.ts'
import { focusOf, takesText } from '#portal/keyboard/focus.ts'
import { holding as keysWait } from '#portal/keyboard/hold.ts'
import type { Targets } from '#portal/palette/state.ts'
import { searchParams } from '#portal/app/location.ts'
import { say } from '#portal/app/toasts.ts'
import { useSending } from '#portal/ui/use-sending.ts'
import { type Later, Part } from '#portal/ui/later.tsx'
import type { BesideForm } from '#portal/ui/screen.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import '#portal/form/page-form.css'

interface PageFormProps {
  page: AnyPageForm
  targets: Targets
  saved: Values
  /** Where values come from that are not the record's own; null where all of them always are. */
  inherited: Readonly<Record<string, string | null>> | null
  /** Values that follow from what is typed; none without it. */
  follows?: (params: Values) => Values
  /** What saving leads to; without it nothing stands beside the fields. */
  preview?: ((params: Values) => PagePreview | null) | null
  /** What a save cannot take back, and what is typed to confirm it. */
  confirms: { sentence: string; word: string } | null
  /** What stands above the fields: what changed meanwhile. */
  above: ReactNode
  /** Why it cannot be saved now. */
  blocked: string | null
  /** Nobody knows whether it went through. */
  frozen: boolean
  /** Fields that cannot be changed here. */
  fixed?: readonly string[]
  /** What stands beside the fields, about what is typed so far. */
  beside?: Later<BesideForm> | undefined
  /** What the page was made of. */
  facts?: unknown
  /** Does it; answers why not. */
  submit: (params: Values) => Promise<Failure | null>
  leave: () => void
}

const nothingFollows = (): Values => ({})

/** The form of a command as a page: sections, what differs from what is saved, problems, and one bar to save. Knows no noun. */
export function PageForm(props: PageFormProps) {
  const { page, targets, saved, inherited, confirms, frozen, submit, leave } = props
  const [refused, refuse] = useState<string | null>(null)
  const blocked = props.blocked ?? refused
  const formId = useId()
  const fields = useMemo(() => fieldsOf(page.form), [page])
  const sections = useMemo(() => sectionsOf(fields), [fields])
  const [given] = useState(() => givenIn(fields, searchParams()))
  // What was typed for another choice of the address waits for that one.
  const command = [page.command.id, ...Object.values(given)].join('.')
  const [begun] = useState(() => draft(command, targets))
  const { sending, standing, once } = useSending()
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  const confirm = useConfirm(confirms?.word ?? null)
  const { clear: unconfirm } = confirm
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Values>({
    defaultValues: withDraft(fields, { ...saved, ...given }, begun),
    resolver: useMemo((): Resolver<Values> => {
      const judge = zodResolver(page.form) as unknown as Resolver<Values>
      return (values, context, options) => judge(holding(fields, values), context, options)
    }, [page, fields]),
    mode: 'onTouched',
  })
  const { control } = form
  const now = useRef(saved)
  const { follows = nothingFollows } = props
  const following = useRef({ follows, last: {} as Values })
  following.current.follows = follows

  useLayoutEffect(() => {
    tellFormDrawn()
    const asked = location.hash.slice(1)
    const has = document.activeElement
    if (focusOf(has) === 'dialog' || takesText(has)) return
    // What comes back is where one goes on: it is typed over, or kept.
    const back = begun && fields.find(({ name }) => name in begun)
    if (back) form.setFocus(back.name, { shouldSelect: true })
    else (firstIn(element.current, asked) ?? stopsOf(element.current)[0])?.focus()
  }, [begun, fields, form])
  useEffect(() => {
    // What nobody has typed over follows what is saved.
    const before = now.current
    now.current = saved
    for (const { name } of fields)
      if (same(form.getValues(name), before[name]) && !same(saved[name], before[name])) form.setValue(name, keptAs(saved[name]))
  }, [saved, fields, form])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          const kept = draftFrom(fields, values, now.current)
          if (Object.keys(kept).length) return keepDraft(command, targets, kept)
          dropDraft(command, targets)
          // It was typed for changes that are gone: others are confirmed anew.
          unconfirm()
        },
      }),
    [form, command, targets, fields, unconfirm],
  )

  useEffect(() => {
    // What follows stands in a field that is empty, or still has what followed before.
    const follow = (values: Values) => {
      const { follows, last } = following.current
      const next = follows(readable(holding(fields, values)))
      // What is half typed decides nothing: what followed before still counts as that.
      following.current.last = { ...last, ...next }
      for (const [name, value] of Object.entries(next)) {
        const has = form.getValues(name)
        if (((has ?? '') === '' || same(has, last[name])) && !same(has, value)) form.setValue(name, keptAs(value))
      }
    }
    const now = readable(holding(fields, form.getValues()))
    following.current.last = following.current.follows(now)
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => follow(values) })
  }, [form, fields])

  const toField = (name: string) => setTimeout(() => form.setFocus(name), 0)
  const discard = () => {
    form.reset(saved)
    dropDraft(command, targets)
    setFailure(null)
    // What was typed and not understood goes with its input.
    setTurn(turn + 1)
    element.current?.focus()
  }
  const away = () => {
    const left = changed(fields, form.getValues(), now.current).length
    // How a save that is under way ends is said by whoever carries it out.
    if (left && !sending) say(`Not saved: ${left} ${left === 1 ? 'change is' : 'changes are'} kept as a draft.`)
    leave()
  }
  const show = (why: Failure) => {
    const { fieldAt = (path: string) => path } = page
    const { byField, rest } = serverErrors(
      fields,
      why.errors?.map(({ path, message }) => ({ path: fieldAt(path), message })),
    )
    setFailure({ ...why, detail: [why.detail, ...rest].filter(Boolean).join(' ') || null })
    for (const { name, message } of byField) form.setError(name, { message })
    // A cell is found by its table, once that shows what is wrong.
    if (byField[0]) toField(byField[0].name.split('.')[0] as string)
  }
  const send = form.handleSubmit(
    async (params) => {
      if (!changed(fields, form.getValues(), now.current).length) return say('There is nothing to save.')
      if (!confirm.confirmed()) return
      setFailure(null)
      const why = await submit(params)
      if (!why) dropDraft(command, targets)
      if (!standing.current) return
      if (why) return show(why)
      confirm.clear()
      // The input that confirmed it is gone.
      if (confirms) element.current?.focus()
    },
    (errors) => {
      const wrong = fields.find((field) => field.name in errors)
      if (wrong) toField(wrong.name)
    },
  )
  // Once at a time from the moment it is pressed: judging the fields takes a while, too.
  const save = async () => {
    if (!blocked && !frozen) await once(send)
  }
  const nextProblem = () => {
    const wrong = fields.filter(({ name }) => form.getFieldState(name).invalid)
    const here = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field']
    const next = wrong[(wrong.findIndex(({ name }) => name === here) + 1) % wrong.length]
    if (next) toField(next.name)
  }
  const toSection = (name: string) => firstIn(element.current, name)?.focus()
  const nextSection = () => {
    const here = document.activeElement?.closest<HTMLElement>('[data-section]')?.dataset['section'] ?? ''
    const asked = sectionsOf(fields.filter((field) => isShown(field, form.getValues())))
    const next = asked[(asked.indexOf(here) + 1) % asked.length]
    if (next !== undefined) toSection(next)
  }
  const keys = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    const { key, target } = event
    const take = (does: () => void) => {
      event.preventDefault()
      does()
    }
    if (key === 'Escape') take(away)
    else if (key === 'F8') take(nextProblem)
    else if (key === 'F6') take(nextSection)
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey))
      take(() => void (event.repeat || tooEarly(event.nativeEvent) || keysWait(save())))
    else if (key === 'Enter' && target instanceof HTMLInputElement) {
      const stops = stopsOf(element.current)
      take(() => stops[stops.indexOf(target) + 1]?.focus())
    }
  }
  const check = useCallback((name: string) => void form.trigger(name), [form])
  const restore = useCallback(
    ({ name }: Field) => {
      form.setValue(name, keptAs(now.current[name]), { shouldValidate: true })
      setTimeout(() => form.setFocus(name), 0)
    },
    [form],
  )
  const set = useCallback(
    (values: Values) => {
      // What was missing or wrong there is judged anew.
      for (const [name, value] of Object.entries(values))
        form.setValue(name, keptAs(value), { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid })
    },
    [form],
  )
  const titles = new Map(fields.map((field) => [field.name, field.title]))

  return (
    <form
      ref={element}
      noValidate
      className={`page-form ${props.preview ? 'page-beside' : ''} ${props.beside ? 'page-tooled' : ''}`}
      tabIndex={-1}
      aria-label={page.title}
      aria-busy={sending || frozen}
      onKeyDown={keys}
      onSubmit={(event) => event.preventDefault()}
    >
      <Sections control={control} fields={fields} sections={sections} saved={saved} go={toSection} />
      <div className="page-fields">
        {props.above}
        {frozen && (
          <Line tone="wait" icon="time" detail="Retrying until confirmed. It is applied once. You can leave this page.">
            Checking whether it went through
          </Line>
        )}
        {begun && <Restored control={control} fields={fields} saved={saved} clear={discard} />}
        {failure && !frozen && (
          <Line tone="bad" icon="alert" detail={failure.detail} alert>
            {failure.sentence}
          </Line>
        )}
        <Problems control={control} fields={fields} go={toField} />
        <div inert={frozen}>
          {sections.map((section) => (
            <section key={section} data-section={section} aria-labelledby={`${formId}-${section}`}>
              <h2 id={`${formId}-${section}`}>{section}</h2>
              {fields
                .filter((field) => (field.section ?? '') === section)
                .map((field) => (
                  <PageRow
                    key={`${turn} ${field.name}`}
                    field={field}
                    control={control}
                    formId={formId}
                    saved={saved[field.name]}
                    source={inherited?.[field.name]}
                    levelled={inherited !== null}
                    decidedBy={titles.get(field.when?.field ?? '')}
                    fixed={props.fixed?.includes(field.name) ?? false}
                    isNew={page.makes ?? false}
                    check={check}
                    restore={restore}
                  />
                ))}
            </section>
          ))}
        </div>
      </div>
      {props.preview && <Aside control={control} fields={fields} preview={props.preview} />}
      {props.beside && (
        <aside className="page-tools" aria-label="Beside the form">
          <BesideFields of={props.beside} control={control} facts={props.facts} set={set} refuse={refuse} />
        </aside>
      )}
      <SaveBar control={control} fields={fields} saved={saved} blocked={blocked}>
        {(count) => (
          <>
            {count > 0 && confirms && !frozen && !blocked && (
              <div className="page-confirm">
                <p>{confirms.sentence}</p>
                <ConfirmField {...confirm.field} />
              </div>
            )}
            <span className="page-buttons">
              <button
                type="button"
                className="btn"
                aria-disabled={count === 0 || frozen}
                onClick={() => count && !frozen && discard()}
              >
                Discard
              </button>
              <button
                type="button"
                className={`btn ${confirms ? '' : 'btn-go'}`}
                aria-disabled={count === 0 || blocked !== null || sending || frozen}
                onClick={() => void keysWait(save())}
              >
                Save <Kbd chord="Mod+Enter" />
              </button>
            </span>
          </>
        )}
      </SaveBar>
    </form>
  )
}

interface BesideFieldsProps extends Omit<BesideForm, 'values'> {
  of: Later<BesideForm>
  control: Control<Values>
}

/** What stands beside the fields; drawn anew with what is typed, without the fields. */
function BesideFields({ of, control, ...rest }: BesideFieldsProps) {
  const values = useTyped(control)
  return <Part of={of} props={{ ...rest, values }} />
}

/** Where the focus goes first in a section, or in a field: an address may end with the name of either. */
const firstIn = (form: HTMLElement | null, name: string): HTMLElement | undefined => {
  const parts = [...(form?.querySelectorAll<HTMLElement>('[data-section], [data-field]') ?? [])]
  return stopsOf(parts.find(({ dataset }) => dataset['section'] === name || dataset['field'] === name) ?? null)[0]
}

/** Fields and buttons in the order of Tab: of a choice the one that is set, or the first. */
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
