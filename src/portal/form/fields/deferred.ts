import type { FieldKind } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import { later } from '#portal/ui/later.tsx'

/** Lists that open, things found by typing, switches: they come with their library, after the palette. */
export const chooser = later(async () => (await import('#portal/form/fields/choosers.tsx')).Chooser)

/** With so few values all of them are on the table. */
const maxRadios = 4

/** One of a few values. */
export const isRadios = ({ kind, options }: Field): boolean => kind === 'choice' && options.length <= maxRadios

const deferred: readonly FieldKind[] = ['chips', 'file', 'permissions', 'reference', 'references', 'switch']

/** True where a form cannot be drawn without a chooser. */
export const needChooser = (fields: readonly Field[]): boolean =>
  fields.some((field) => deferred.includes(field.kind) || (field.kind === 'choice' && !isRadios(field)))
