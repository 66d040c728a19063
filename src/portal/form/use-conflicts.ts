import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import { keepDraft, keepSeen, seenWith } from '#portal/commands/drafts.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { keptAs } from '#portal/form/form-values.ts'
import type { rowByRow } from '#portal/form/row-by-row.ts'
import { changed, draftFrom, same } from '#portal/form/page-values.ts'
import type { Targets } from '#portal/platform/commands.ts'

type Fields = readonly Field[]

/** The names of the dirty fields that somebody else saved differently: `seen` are the values that the user typed over. */
function bothChanged(fields: Fields, values: Values, seen: Values, saved: Values): string[] {
  const typed = new Set(changed(fields, values, seen))
  const differing = new Set(changed(fields, values, saved))
  return changed(fields, saved, seen).flatMap((field) => (typed.has(field) && differing.has(field) ? [field.name] : []))
}

interface Conflicts {
  /** The saved values as last read. */
  now: RefObject<Values>
  /** The fields with an unresolved conflict. */
  asks: readonly string[]
  /** Whether there are conflicts at this moment. */
  asking: () => boolean
  /** Resolves the conflicts in favor of the typed values. */
  settle: () => void
  /** Called when these values were sent and saved. */
  sent: (values: Values) => void
}

interface ConflictOptions {
  /** The name under which the draft is stored; null for none. */
  command: string | null
  targets: Targets
  /** Whether the form started from a draft. */
  restored: boolean
  /** Three-way merge for tables, if the form supports it. */
  merge?: typeof rowByRow
  /** Called when nothing differs from the saved values any more. */
  gone?: () => void
}

/**
 * Tracks saved and typed values, and the draft with the values it was typed over. A clean field follows the saved value; a dirty
 * field that somebody else changed, too, is in conflict until it is typed into again or settled (D544, D546).
 */
export function useConflicts(
  form: UseFormReturn<Values>,
  fields: Fields,
  saved: Values,
  { command, targets, restored, merge, gone }: ConflictOptions,
): Conflicts {
  const now = useRef(saved)
  // The saved values that the user typed over, by field.
  const [seen] = useState(() => ({ ...saved, ...(command !== null && restored && seenWith(command, targets)) }))
  const last = useRef<Values>({})
  const [asks, setAsks] = useState<readonly string[]>([])
  const both = useCallback(() => bothChanged(fields, form.getValues(), seen, now.current), [fields, form, seen])
  const look = useCallback(() => {
    const found = both()
    setAsks((before) => (before.join() === found.join() ? before : found))
  }, [both])
  const keep = useCallback(
    (values: Values) => {
      if (command === null) return
      const typed = draftFrom(fields, values, now.current)
      if (!keepDraft(command, targets, typed)) gone?.()
      // A form that starts empty has no saved values that could change.
      else if (fields.some(({ name }) => (now.current[name] ?? '') !== '')) keepSeen(command, targets, Object.keys(typed), seen)
    },
    [fields, command, targets, gone, seen],
  )
  useEffect(() => {
    const before = now.current
    now.current = saved
    const values = form.getValues()
    const known = [seen, before, saved]
    const untouched = fields.filter(({ name }) => known.some((each) => same(values[name], each[name])))
    // A field may also be set by another one, such as a switch.
    const set = changed(fields, values, seen)
    for (const field of untouched) if (!set.includes(field)) seen[field.name] = saved[field.name]
    for (const { name } of untouched) if (!same(values[name], saved[name])) form.setValue(name, keptAs(saved[name]))
    for (const { name, kind } of set) {
      const merged = kind === 'table' && merge?.(values[name], seen[name], saved[name])
      if (!merged) continue
      seen[name] = merged.seen
      if (!same(values[name], merged.rows)) form.setValue(name, merged.rows)
    }
    last.current = form.getValues()
    look()
  }, [saved, fields, form, seen, merge, look])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values, name }) => {
          const [one = ''] = name?.split('.') ?? []
          // In a table the edit may be in another row than the conflict.
          const settles = asks.includes(one) && fields.some((field) => field.name === one && field.kind !== 'table')
          if (settles && !same(values[one], last.current[one])) seen[one] = now.current[one]
          last.current = { ...values }
          keep(values)
          look()
        },
      }),
    [form, fields, asks, seen, keep, look],
  )
  const settle = () => {
    for (const name of asks) seen[name] = now.current[name]
    keep(form.getValues())
    look()
  }
  const sent = (values: Values) => {
    Object.assign(seen, values)
    look()
  }
  return { now, asks, asking: () => both().length > 0, settle, sent }
}
