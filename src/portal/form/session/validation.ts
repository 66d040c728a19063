import { zodResolver } from '@hookform/resolvers/zod'
import { useCallback, useEffect } from 'react'
import { type FieldErrors, get, type Resolver, set, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Problem } from '#contract/problem.ts'
import type { Field } from '#kernel/form.ts'
import { activeValues, type Values } from '#kernel/form-values.ts'
import { changed, isShown } from '#portal/form/session/values.ts'

/** Messages about text typed into choosers that matches none of their options, by field. */
export interface UnparsedInput extends Map<string, string> {
  /** For lines: reveals those that a search hides and that would be sent; returns whether there were any. */
  unhide?: () => boolean
}

/** The same as form errors. */
export const unparsedErrors = (unparsed: UnparsedInput): FieldErrors<Values> =>
  Object.fromEntries([...unparsed].map(([name, message]) => [name, { type: 'unparsed', message }]))

/** Messages of the server by path, with the value that each is about: no schema can tell whether that is still wrong. */
export type RefusedInput = Map<string, { value: unknown; message: string }>

/** A value to compare a later one with: lists are changed in place, and every file looks the same as text. */
export const comparable = (value: unknown): unknown => (value instanceof Blob ? value : JSON.stringify(value ?? null))

/**
 * Validation of a form: the schema on its effective values, unparsed input, and what the server refused, until the value is
 * another one or is sent again.
 */
export function validateOf(
  schema: z.ZodObject,
  fields: readonly Field[],
  unparsed: UnparsedInput,
  refused: RefusedInput,
): Resolver<Values> {
  const validate = zodResolver(schema) as unknown as Resolver<Values>
  return async (values, ...rest) => {
    const found = await validate(activeValues(fields, values), ...rest)
    const errors: FieldErrors<Values> = { ...found.errors, ...unparsedErrors(unparsed) }
    for (const [path, { value, message }] of refused)
      if (!get(errors, path) && comparable(get(values, path)) === value) set(errors, path, { type: 'server', message })
    return Object.keys(errors).length ? { values: {}, errors } : found
  }
}

/** Server errors by field, those of rows by cell (`suggestions.0.amount`), and the rest. */
export function serverErrors(
  fields: readonly Field[],
  errors: Problem['errors'],
): { byField: { name: string; message: string }[]; rest: string[] } {
  const known = new Map(fields.map((field) => [field.name, field]))
  const byField: { name: string; message: string }[] = []
  const rest: string[] = []
  for (const { path, message } of errors ?? []) {
    const [name = '', at, cell] = path.replace(/^\/?(body[./])?/, '').split(/[./[]/)
    const field = known.get(name)
    const inRows = field?.columns.some((column) => column.name === cell) && /^\d+$/.test(at ?? '')
    if (field) byField.push({ name: inRows ? `${name}.${at}.${cell}` : name, message })
    else rest.push(message)
  }
  return { byField, rest }
}

/**
 * Revalidates fields without the focus: those of a draft when it is restored; invalid ones whenever another field changes, which
 * may fix them; and all filled ones when a field loses the focus, since a rule may concern two fields. Returns the callback for
 * that. A table validates its cells itself.
 */
export function useRevalidation(
  form: UseFormReturn<Values>,
  fields: readonly Field[],
  saved: Values,
  draft: Values | null,
): () => void {
  const validate = useCallback(
    (which: (field: Field, wrong: boolean) => boolean) => {
      const names = fields.flatMap((field) => {
        const { error } = form.getFieldState(field.name)
        return which(field, error !== undefined) ? [field.name] : []
      })
      if (names.length > 0) void form.trigger(names)
    },
    [form, fields],
  )
  useEffect(() => validate(({ name }) => draft !== null && name in draft), [validate, draft])
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
    if (!changed(fields, values, saved).length) return
    validate((field) => field.kind !== 'table' && isShown(field, values) && (values[field.name] ?? '') !== '')
  }
}
