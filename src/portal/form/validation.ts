import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { activeValues } from '#portal/form/page-values.ts'

/** Messages about text typed into choosers that matches none of their options, by field. */
export interface UnparsedInput extends Map<string, string> {
  /** For lines: reveals those that a search hides and that would be sent; returns whether there were any. */
  unhide?: () => boolean
}

/** The same as form errors. */
export const unparsedErrors = (unparsed: UnparsedInput): FieldErrors<Values> =>
  Object.fromEntries([...unparsed].map(([name, message]) => [name, { type: 'unparsed', message }]))

/** Validation of a form: the schema on its effective values, and unparsed input. */
export function validateOf(schema: z.ZodObject, fields: readonly Field[], unparsed: UnparsedInput): Resolver<Values> {
  const validate = zodResolver(schema) as unknown as Resolver<Values>
  return async (values, ...rest) => {
    const found = await validate(activeValues(fields, values), ...rest)
    return unparsed.size ? { values: {}, errors: { ...found.errors, ...unparsedErrors(unparsed) } } : found
  }
}
