import { type Selectable, sql } from 'kysely'
import { SharedView } from '#contract/shared-views.ts'
import { may } from '#domain/permissions.ts'
import { type Audience, audiencesOf, sharing } from '#domain/shared-view.ts'
import type { Actor } from '#server/access/actor.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { insertRow, saveRow } from '#server/tables/rows.ts'

/** The table `shared_views`. */
export interface SharedViewsTable extends Stamped {
  path: string
  title: string
  search: string
  shared_with: Audience[]
  shared_by: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    shared_views: SharedViewsTable
  }
}

export type SharedViewRow = Selectable<SharedViewsTable> & { shared_by_name: string }

/** What a person decides about a shared view. */
export type SharedViewValues = Pick<SharedViewsTable, 'title' | 'search' | 'shared_with'>

/** Shared views open to a person: those of their groups, and all of them to admins who may share, so that none is left over. */
const openTo = (actor: Actor) =>
  actor.kind === 'ADMIN' && may(actor.held, sharing) === 'yes'
    ? sql<boolean>`true`
    : sql<boolean>`e.shared_with && ${audiencesOf(actor)}::text[]`

const rows = sql`select e.*, person.name as shared_by_name from shared_views e join people person on person.id = e.shared_by`

/** Serializes changes of shared views until the commit: their names and their number concern all of them. */
export async function lockSharedViews(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('shared views'))`.execute(tx)
}

/** The shared views that are open to a person, in the order in which they were shared. */
export const openSharedViews = (tx: Tx, actor: Actor): Promise<SharedViewRow[]> =>
  selectAll<SharedViewRow>(tx)`${rows} where ${openTo(actor)} order by e.id`

/** One of them; null if it is not open to the person. */
export const openSharedView = (tx: Tx, actor: Actor, id: number): Promise<SharedViewRow | null> =>
  selectOne<SharedViewRow>(tx)`${rows} where e.id = ${id} and ${openTo(actor)}`

/** All shared views of a list, open to the person or not, except one. */
export const otherSharedViews = (tx: Tx, path: string, but: number | null): Promise<SharedViewRow[]> =>
  selectAll<SharedViewRow>(tx)`${rows} where e.path = ${path} and e.id is distinct from ${but}::bigint`

/** Adds a shared view of the actor; returns its id. */
export const insertSharedView = (tx: Tx, actor: Actor, values: SharedViewValues & { path: string }): Promise<number> =>
  insertRow(tx, 'shared_views', { ...values, shared_by: actor.id })

/** Changes a shared view, under `lockSharedViews`. */
export const saveSharedView = (tx: Tx, id: number, values: SharedViewValues, now: Date): Promise<void> =>
  saveRow(tx, 'shared_views', id, values, now)

/** Deletes a shared view, under `lockSharedViews`. */
export const deleteSharedView = (tx: Tx, id: number) => tx.deleteFrom('shared_views').where('id', '=', id).execute()

/** A shared view as returned by the API. */
export const toSharedView = (row: SharedViewRow): SharedView => answerOf(SharedView, { ...row, shared_by: row.shared_by_name })
