import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { activeValues } from '#portal/form/page-values.ts'

/** What is said of what was typed into the choosers that are drawn and is none of what they offer, by the name of the field. */
export interface UnparsedInput extends Map<string, string> {
  /** Of lines: shows those that a search hides and that would be sent; answers whether there were any. */
  unhide?: () => boolean
}

/** The same as errors of the fields. */
export const unparsedErrors = (unparsed: UnparsedInput): FieldErrors<Values> =>
  Object.fromEntries([...unparsed].map(([name, message]) => [name, { type: 'unparsed', message }]))

/** What is wrong with a form: what its schema says of the values that hold, and what was typed and not taken. */
export function validateOf(schema: z.ZodObject, fields: readonly Field[], unparsed: UnparsedInput): Resolver<Values> {
  const validate = zodResolver(schema) as unknown as Resolver<Values>
  return async (values, ...rest) => {
    const found = await validate(activeValues(fields, values), ...rest)
    return unparsed.size ? { values: {}, errors: { ...found.errors, ...unparsedErrors(unparsed) } } : found
  }
}
