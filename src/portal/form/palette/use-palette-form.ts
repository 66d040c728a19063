import { useEffect, useState } from 'react'
import { changes, type Command } from '#kernel/command.ts'
import { type Field, stepsOf } from '#kernel/form.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import { type FormValues, type ShellOptions, useFormSession, useTyped } from '#portal/form/session/use-session.ts'
import { bothSay } from '#portal/form/session/value-text.ts'
import { isAsked, type Values } from '#kernel/form-values.ts'
import { unreadPaths } from '#portal/form/session/values.ts'
import { useFormKeys } from '#portal/form/palette/use-form-keys.ts'
import { useKeyHints } from '#portal/form/palette/use-key-hints.ts'
import { useFormFocus } from '#portal/form/palette/use-form-focus.ts'
import type { FormFrame, FormPreview } from '#portal/form/preview/use-preview.tsx'
import { keepOverReload } from '#portal/commands/outbox/interruptions.ts'
import { useSlow } from '#portal/ui/use-sending.ts'

export interface PaletteFormOptions extends FormFrame, ShellOptions {
  command: Command
  start: Values
  /** Values from a link or the palette; `complete` if the person typed there all that they have to say. */
  params: Values | undefined
  complete?: boolean | undefined
  /** The preview of the current values. */
  shown?: (values: Values) => FormPreview
}

const nothingShown: FormPreview = { lines: null, below: null }

/** The conflicting fields, with the values saved now. */
const conflictOf = (fields: readonly Field[], saved: Values): Failure | null =>
  fields.length
    ? {
        sentence: `Somebody changed what you typed over: ${bothSay(fields, saved)}. Change it, or send it as shown.`,
        detail: null,
        stands: {},
      }
    : null

/**
 * The field that the focus starts at: the first that is not settled, nor a record that is given. After a sentence it is the first
 * that is needed and missing; none if nothing is.
 */
function startOf(
  visible: readonly Field[],
  { initial, draft }: Pick<FormValues, 'initial' | 'draft'>,
  { params, complete }: Pick<PaletteFormOptions, 'params' | 'complete'>,
): string | null {
  const isMissing = ({ name, optional }: Field) => !optional && (initial[name] === undefined || initial[name] === '')
  // What an earlier draft adds to a sentence was not said with it: it is looked at before the button.
  const isAdded = ({ name }: Field) => draft?.[name] !== undefined && params?.[name] === undefined
  const missing = complete ? (visible.find(isMissing) ?? visible.find(isAdded)) : undefined
  // With everything filled in by itself, nothing was said about what to change.
  if (missing || (complete && params)) return missing?.name ?? null
  const isPlaced = ({ name, kind, settled }: Field, at: number) =>
    settled || (at === 0 && kind === 'reference' && params?.[name] !== undefined)
  return (visible.find((field, at) => !isPlaced(field, at)) ?? visible[0])?.name ?? null
}

/** The session of a form in the palette, with its steps, focus and keys. */
export function usePaletteForm(props: PaletteFormOptions, input: FormValues, saved: Values) {
  const { command, frozen } = props
  const { form, fields } = input
  const steps = stepsOf(fields)
  const [at, setAt] = useState(() => Math.max(0, steps.indexOf(command.form?.firstStep ?? '')))
  const typed = useTyped(form.control)
  const asked = fields.some(({ when }) => when) ? fields.filter((field) => isAsked(field, typed)) : fields
  const visible = steps.length > 1 ? asked.filter((field) => (field.step ?? '') === steps[at]) : asked
  const shown = props.shown?.(typed) ?? nothingShown
  const frame = { note: '', go: command.title, ...props, ...shown }
  const { blocked = null, warning = null, word = null } = frame
  const lines = shown.lines === 'reading' ? null : shown.lines
  const isReading = shown.lines === 'reading'
  const formSession = useFormSession(input, {
    saved,
    blocked,
    loading: isReading,
    frozen,
    word,
    lines,
    wrong: shown.wrong,
    reveal: (name) => {
      const step = steps.indexOf(fields.find((field) => field.name === name)?.step ?? '')
      if (step >= 0 && step !== at) setAt(step)
    },
    submit: props.submit,
    home: () => element.current?.querySelector<HTMLElement>('[data-go]'),
  })
  const { session, state, confirm } = formSession
  const [head] = visible
  // A form with a warning, no undo and no fields has no default button either.
  const careful = fields.length === 0 && changes(command) && !command.undo?.steps && Boolean(warning)
  const reading = isReading && head?.kind === 'rows'
  const element = useFormFocus({
    at,
    frozen,
    reading,
    restored: input.draft !== null,
    startAt: startOf(visible, input, props),
    careful,
    word,
    confirm: confirm.field.input,
  })
  const last = at >= steps.length - 1
  const singleLine = !fields.some((field) => field.kind === 'long-text' || field.kind === 'rows' || field.lines)

  useEffect(keepOverReload, [])
  // What was typed elsewhere is as good as typed here: what is wrong with it is said at once.
  const [given] = useState(() => fields.map(({ name }) => name).filter((name) => name in (props.params ?? {})))
  useEffect(() => {
    const paths = [...unreadPaths(input.initial), ...given]
    if (paths.length) void form.trigger(paths)
  }, [form, input.initial, given])

  const onward = async () => {
    if (last) return formSession.send()
    const names = visible.map((field) => field.name)
    // What the server refused is sent again.
    for (const path of input.refused.keys()) if (names.includes(path.split('.')[0] as string)) input.refused.delete(path)
    if (await form.trigger(names, { shouldFocus: true })) setAt(at + 1)
  }
  const conflicting = fields.filter(({ name }) => name in session.conflicts)
  // An irreversible command has no default button.
  const byEnter = word === null || !last
  const byKeys = useFormKeys(element, { last, singleLine, byEnter, onward })
  // Lines of amounts have keys of their own.
  const hasRows = fields.some(({ kind }) => kind === 'rows')
  useKeyHints(hasRows ? null : { byEnter: byEnter && !careful, singleLine, last, previews: frame.go === 'Preview' })
  return {
    ...formSession,
    ...byKeys,
    slow: useSlow(state === 'submitting'),
    question: session.failure?.stands ? session.failure : conflictOf(conflicting, saved),
    element,
    steps,
    at,
    setAt,
    last,
    visible,
    shown,
    frame: { ...frame, blocked, warning, word },
    lines,
    reading,
    careful,
    // On a file input, Enter opens the file dialog.
    enters: singleLine && !careful && fields.every(({ kind }) => kind !== 'file'),
  }
}
