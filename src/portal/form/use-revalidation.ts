import { type RefObject, useCallback, useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { changed, isShown } from '#portal/form/page-values.ts'

/** Of what the server said of a field, which no schema can judge again. */
export const byServer = 'server'

/**
 * Judges fields that the person is not in: what comes back from a draft as it comes; those that are wrong as often as any other
 * changes, which may put them right; and all that are filled in as one is left, for the rule may be about two of them. Answers
 * what tells that one was left. A table judges its cells by itself.
 */
export function useRevalidation(
  form: UseFormReturn<Values>,
  fields: readonly Field[],
  now: RefObject<Values>,
  initialDraft: Values | null,
): () => void {
  const validate = useCallback(
    (which: (field: Field, wrong: boolean) => boolean) => {
      const names = fields.flatMap((field) => {
        const { error } = form.getFieldState(field.name)
        return error?.type !== byServer && which(field, error !== undefined) ? [field.name] : []
      })
      if (names.length > 0) void form.trigger(names)
    },
    [form, fields],
  )
  useEffect(() => validate(({ name }) => initialDraft !== null && name in initialDraft), [validate, initialDraft])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => validate((field, wrong) => wrong && field.kind !== 'table' && field.name !== name),
      }),
    [form, validate],
  )
  return () => {
    const values = form.getValues()
    if (!changed(fields, values, now.current).length) return
    validate((field) => field.kind !== 'table' && isShown(field, values) && (values[field.name] ?? '') !== '')
  }
}
