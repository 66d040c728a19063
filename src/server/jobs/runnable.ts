import type { z } from 'zod'
import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import type { Need } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Asking } from '#server/paging/define-list.ts'
import type { Tx } from '#server/tables/database.ts'

/** A row of a list for a run: its id, its display name, and the input of the rules of its intents. */
export interface FoundTarget {
  id: number
  title: string
  subject: unknown
}

/** A noun whose intents can be executed for many rows. */
export interface Runnable {
  /** The endpoints that runs support; all of the noun by default. */
  only?: readonly AnyEndpoint[]
  /** The permission to read it: without it, runs over it cannot be read either. */
  needs: Need<never>
  /** The filter of its list. */
  filter: z.ZodObject
  /** At most `limit` matching rows, by id, inside the person's access. */
  matching: (tx: Tx, actor: Actor, filter: Record<string, unknown>, limit: number) => Promise<FoundTarget[]>
  byId: (tx: Tx, actor: Actor, ids: readonly number[]) => Promise<FoundTarget[]>
  /** Rows with further input for the rules of an intent that a list does not read. */
  readForValidation?: (tx: Tx, intent: AnyIntent, rows: readonly FoundTarget[]) => Promise<FoundTarget[]>
}

const inOrder = { sort: 'id', 'sort-order': 'asc', direction: 'after' } as const

/** A noun whose list is read page by page. */
export const listed = (
  needs: Need<never>,
  filter: z.ZodObject,
  page: (asking: Asking, query: never, from: null) => Promise<{ rows: readonly { id: number }[] }>,
  title: (row: never) => string,
): Runnable => {
  const matching: Runnable['matching'] = async (tx, actor, given, limit) => {
    const { rows } = await page({ tx, actor }, { ...given, ...inOrder, limit } as never, null)
    return rows.map((row) => ({ id: row.id, title: title(row as never), subject: row }))
  }
  return {
    needs,
    filter: filter.strict(),
    matching,
    byId: (tx, actor, ids) => matching(tx, actor, { id: [...ids] }, ids.length),
  }
}
