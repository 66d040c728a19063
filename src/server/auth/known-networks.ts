import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** How long a network is known after the last sign-in from there. */
const lastsDays = 180
/** Networks of one SFTP user that are known; those where it signed in last. */
const maxNetworks = 20
/** A sign-in is written down at most this often, so that not every file is a write. */
const writtenEveryMinutes = 60

/** The condition that the SFTP user `u` signed in from a network before. */
export const signedInFrom = (network: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from sftp_networks where sftp_user_id = u.id and network = ${network}
    and last_seen_at > ${now}::timestamptz - make_interval(days => ${lastsDays}))`

/** Makes a network known to an SFTP user who has just signed in from there. */
export async function knowNetwork(db: Kysely<Database>, userId: number, network: string, now: Date): Promise<void> {
  const { rows } = await sql`
    insert into sftp_networks as n (sftp_user_id, network, last_seen_at)
    select id, ${network}, ${now} from sftp_users where id = ${userId}
    on conflict (sftp_user_id, network) do update set last_seen_at = excluded.last_seen_at
      where n.last_seen_at not between ${now}::timestamptz - make_interval(mins => ${writtenEveryMinutes}) and ${now}
    returning 1`.execute(db)
  if (rows.length === 0) return
  await sql`
    delete from sftp_networks where sftp_user_id = ${userId} and network not in (
      select network from sftp_networks where sftp_user_id = ${userId} order by last_seen_at desc limit ${maxNetworks})`.execute(
    db,
  )
}

/** Forgets the networks from which nobody signed in for long. */
export async function forgetNetworks(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`delete from sftp_networks
    where last_seen_at < ${now}::timestamptz - make_interval(days => ${lastsDays})`.execute(db)
}
