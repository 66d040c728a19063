import { type RefObject, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { keptAs } from '#portal/form/form-values.ts'
import { same } from '#portal/form/page-values.ts'

/** What is saved; a field that nobody has typed over follows it when it changes. */
export function useSavedValues(form: UseFormReturn<Values>, fields: readonly Field[], saved: Values): RefObject<Values> {
  const now = useRef(saved)
  useEffect(() => {
    const before = now.current
    now.current = saved
    for (const { name } of fields)
      if (same(form.getValues(name), before[name]) && !same(saved[name], before[name])) form.setValue(name, keptAs(saved[name]))
  }, [saved, fields, form])
  return now
}
