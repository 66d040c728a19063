import { type RawBuilder, sql } from 'kysely'
import type { IdentifierField } from '#domain/mapping-fields.ts'

/** The column in which an employee has what files name them by. */
export const identifierColumns = {
  employee_code: 'employee_code',
  external_tk_id: 'external_tk_id',
  secondary_id: 'secondary_tk_id',
} as const satisfies Record<IdentifierField, string>

/** An identifier without what files change about it: leading zeros, a fraction of zeros, blanks, commas, apostrophes, kinds of dashes, and its case. */
export const coreOf = (identifier: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`upper(regexp_replace(ltrim(translate(${identifier}, ${"‐‑–—−\u00a0 ,'’‘`´"}::text, '-----'), '0'), '[.]0+$', ''))`
