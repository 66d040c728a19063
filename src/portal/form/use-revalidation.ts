import { type RefObject, useCallback, useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { changed, isShown } from '#portal/form/page-values.ts'

/** Type of an error from the server, which no schema can validate again. */
export const byServer = 'server'

/**
 * Revalidates fields without the focus: those of a draft when it is restored; invalid ones whenever another field changes, which
 * may fix them; and all filled ones when a field loses the focus, since a rule may concern two fields. Returns the callback for
 * that. A table validates its cells itself.
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
