import { later } from '#portal/ui/later.tsx'

/** Rows to add, remove and move: they come with the first form that has some. */
export const tableField = later(async () => (await import('#portal/form/table/table-field.tsx')).TableField)
