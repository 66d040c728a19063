import { later } from '#portal/ui/later.tsx'

/** Tables with rows to add, remove and move; loaded with the first form that has one. */
export const tableField = later(async () => (await import('#portal/form/table/table-field.tsx')).TableField)
