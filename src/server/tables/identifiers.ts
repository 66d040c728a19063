import { type RawBuilder, sql } from 'kysely'
import type { IdentifierField } from '#domain/mapping-fields.ts'

/** The employee column of each identifier used in files. */
export const identifierColumns = {
  employee_code: 'employee_code',
  external_tk_id: 'external_tk_id',
  secondary_id: 'secondary_tk_id',
} as const satisfies Record<IdentifierField, string>

/**
 * Normalizes an identifier by removing variations between files: leading zeros, a fraction of zeros, blanks, commas, apostrophes,
 * kinds of dashes, and case.
 */
export const coreOf = (identifier: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`upper(regexp_replace(ltrim(translate(${identifier}, ${"‐‑–—−\u00a0 ,'’‘`´"}::text, '-----'), '0'), '[.]0+$', ''))`
