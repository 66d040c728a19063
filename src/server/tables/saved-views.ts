import { type Generated, sql } from 'kysely'
import type { SavedView, SavedViews } from '#contract/views.ts'
import type { Tx } from '#server/tables/database.ts'

/** The table `saved_views`. */
export interface SavedViewsTable {
  person_id: string
  views: SavedView[]
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    saved_views: SavedViewsTable
  }
}

/** The saved views of a person. With `lock` nobody else changes them, or saves the first, before the commit. */
export async function savedViewsOf(tx: Tx, person: string, { lock = false } = {}): Promise<SavedViews> {
  if (lock) await sql`select id from people where id = ${person} for no key update`.execute(tx)
  const row = await tx.selectFrom('saved_views').select(['views', 'version']).where('person_id', '=', person).executeTakeFirst()
  return row ?? { views: [], version: 0 }
}

/** Replaces the saved views of a person. */
export async function replaceSavedViews(tx: Tx, person: string, views: readonly SavedView[]): Promise<SavedViews> {
  const { rows } = await sql<SavedViews>`
    insert into saved_views (person_id, views) values (${person}, ${JSON.stringify(views)}::jsonb)
    on conflict (person_id) do update set views = excluded.views, version = saved_views.version + 1
    returning views, version`.execute(tx)
  return rows[0] as SavedViews
}
