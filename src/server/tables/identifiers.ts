import type { IdentifierField } from '#domain/mapping-fields.ts'

/** The column in which an employee has what files name them by. */
export const identifierColumns = {
  employee_code: 'employee_code',
  external_tk_id: 'external_tk_id',
  secondary_id: 'secondary_tk_id',
} as const satisfies Record<IdentifierField, string>
