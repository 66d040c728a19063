import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** Settings of the database, as opposed to those of a process. */
export interface SettingTable {
  name: string
  value: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    settings: SettingTable
  }
}

/** The value of a setting, or null. */
export async function settingOf(db: Kysely<Database>, name: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/** Inserts or updates a setting. */
export async function putSetting(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await sql`insert into settings (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`.execute(
    db,
  )
}
