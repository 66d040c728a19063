import type { FieldKind } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import { later } from '#portal/ui/later.tsx'

/** Dropdowns, record search and switches: their chunk with its library loads after the palette. */
export const chooser = later(async () => (await import('#portal/form/fields/choosers.tsx')).Chooser)

/** Tables with rows to add, remove and move; loaded with the first form that has one. */
export const tableField = later(async () => (await import('#portal/form/table/table-field.tsx')).TableField)

/** Maximum number of options shown as radio buttons. */
const maxRadios = 4

/** Whether a choice is shown as radio buttons. */
export const isRadios = ({ kind, options }: Field): boolean => kind === 'choice' && options.length <= maxRadios

const deferred: readonly FieldKind[] = ['chips', 'file', 'permissions', 'reference', 'references', 'switch']

/** True if a form needs the chooser chunk to render. */
export const needChooser = (fields: readonly Field[]): boolean =>
  fields.some((field) => deferred.includes(field.kind) || (field.kind === 'choice' && !isRadios(field)))
