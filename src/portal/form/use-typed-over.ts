import { useCallback, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Command } from '#kernel/command.ts'
import type { Field } from '#kernel/form.ts'
import { draft, keepSeen, seenWith } from '#portal/commands/drafts.ts'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { bothSay, same } from '#portal/form/page-values.ts'
import type { Targets } from '#portal/palette/state.ts'

interface About {
  command: Command
  targets: Targets
  fields: readonly Field[]
  /** What the form begins with, as it is now. */
  saved: Values
  /** Whether it began with a draft. */
  restored: boolean
}

/**
 * Keeps beside a draft what was saved when it was typed, and has `ask` told where that is something else by now: what is typed would
 * replace what somebody else saved (D544). What is answered is called with the name of a field as the person types into it.
 */
export function useTypedOver(form: UseFormReturn<Values>, about: About, ask: (why: Failure) => void): (name: string) => void {
  const { command, targets, fields, saved, restored } = about
  const seen = useRef<Values | null>(null)
  seen.current ??= { ...saved, ...(restored ? seenWith(command.id, targets) : {}) }
  const latest = useRef({ saved, ask })
  latest.current = { saved, ask }
  useEffect(() => {
    const known = seen.current as Values
    const typed = form.getValues()
    const others = fields.filter(({ name }) => !same(known[name], saved[name]))
    const both = others.filter(({ name }) => !same(typed[name], saved[name]))
    for (const field of others) if (!both.includes(field)) known[field.name] = saved[field.name]
    if (both.length)
      latest.current.ask({
        sentence: `Somebody changed what you typed over: ${bothSay(both, saved)}. Change it, or send it as shown.`,
        detail: null,
        stands: Object.fromEntries(both.map(({ name }) => [name, typed[name]])),
      })
  }, [form, fields, saved])
  return useCallback(
    (name) => {
      const known = seen.current as Values
      known[name] = latest.current.saved[name]
      // Of a form that begins empty nothing is saved that could be another by then.
      const begins = fields.some(({ name: one }) => (latest.current.saved[one] ?? '') !== '')
      const kept = begins && draft(command.id, targets)
      if (kept) keepSeen(command.id, targets, Object.keys(kept), known)
    },
    [command, targets, fields],
  )
}
