import { type RawBuilder, sql } from 'kysely'
import type { GuardKey } from '#server/postgres/guard.ts'

/** Number of shares into which the work of a round is divided. */
const count = 64

/** A number of 0 to 63, or null for all of them. */
export type Share = number | null

/** A key of work that may be due, and its share. */
export interface Candidate {
  key: string
  share: number
}

/**
 * The share of an organization, whose invoices, debits and bank results depend on each other: one process works on them in order
 * while others work on other shares. Work of no organization is in the first share.
 */
export const shareOf = (organization: string): RawBuilder<unknown> =>
  sql`(coalesce(${sql.ref(organization)}, 0) % ${sql.lit(count)})::int`

/** Whether an organization is in a share. */
export const isIn = (share: Share, organization: string): RawBuilder<unknown> =>
  share === null ? sql`true` : sql`${shareOf(organization)} = ${share}`

/** The lock of the process that works on a share. */
export const lockOf = (share: number): GuardKey => sql`${4_184_100 + share}`
