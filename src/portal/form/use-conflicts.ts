import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import { keepDraft, keepSeen, seenWith } from '#portal/commands/drafts.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { keptAs } from '#portal/form/form-values.ts'
import type { rowByRow } from '#portal/form/row-by-row.ts'
import { changed, draftFrom, same } from '#portal/form/page-values.ts'
import type { Targets } from '#portal/palette/state.ts'

type Fields = readonly Field[]

/** The names of the fields that were typed over and that somebody else saved differently: `seen` is what the person typed over. */
function bothChanged(fields: Fields, values: Values, seen: Values, saved: Values): string[] {
  const typed = new Set(changed(fields, values, seen))
  const differing = new Set(changed(fields, values, saved))
  return changed(fields, saved, seen).flatMap((field) => (typed.has(field) && differing.has(field) ? [field.name] : []))
}

interface Conflicts {
  /** What is saved, as far as it was read. */
  now: RefObject<Values>
  /** The fields that both changed, and nobody has settled. */
  asks: readonly string[]
  /** Whether there are any, as things are at this moment. */
  asking: () => boolean
  /** What is typed into those holds. */
  settle: () => void
  /** These values were sent and saved. */
  sent: (values: Values) => void
}

interface About {
  /** Under what the draft is kept; null keeps none. */
  command: string | null
  targets: Targets
  /** Whether it begins with a draft. */
  restored: boolean
  /** How two people’s changes of a table are put together, where there may be one. */
  merge?: typeof rowByRow
  /** Called when nothing differs from the saved values any more. */
  gone?: () => void
}

/**
 * What is saved, what is typed over it, and the draft of that, with what it was typed over. A field that nobody typed over follows
 * what is saved; one that somebody else changed, too, asks until it is typed into once more or settled (D544, D546).
 */
export function useConflicts(
  form: UseFormReturn<Values>,
  fields: Fields,
  saved: Values,
  { command, targets, restored, merge, gone }: About,
): Conflicts {
  const now = useRef(saved)
  // What the person typed over, by field.
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
      // Of a form that begins empty nothing is saved that could be another by then.
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
    // A switch sets what nobody typed into.
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
          // Of a table what is typed may be another row than the one that two people changed.
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
