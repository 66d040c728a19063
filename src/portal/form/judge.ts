import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import type { Field } from '#kernel/form.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { holding } from '#portal/form/page-values.ts'

/** What is said of what was typed into the choosers that are drawn and is none of what they offer, by the name of the field. */
export interface Untaken extends Map<string, string> {
  /** Of lines: shows those that a search hides and that would be sent; answers whether there were any. */
  unhide?: () => boolean
}

/** The same as errors of the fields. */
export const untakenErrors = (untaken: Untaken): FieldErrors<Values> =>
  Object.fromEntries([...untaken].map(([name, message]) => [name, { type: 'untaken', message }]))

/** What is wrong with a form: what its schema says of the values that hold, and what was typed and not taken. */
export function judgeOf(schema: z.ZodObject, fields: readonly Field[], untaken: Untaken): Resolver<Values> {
  const judge = zodResolver(schema) as unknown as Resolver<Values>
  return async (values, ...rest) => {
    const found = await judge(holding(fields, values), ...rest)
    return untaken.size ? { values: {}, errors: { ...found.errors, ...untakenErrors(untaken) } } : found
  }
}
