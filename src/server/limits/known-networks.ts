import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** Days that a network stays known after its last sign-in. */
const lastsDays = 180
/** Maximum number of known networks of one SFTP user; the most recent are kept. */
const maxNetworks = 20
/** Minimum time between two updates of a network, so that not every connection causes a write. */
const writtenEveryMinutes = 60

/** Whether the SFTP user `u` signed in from a network before. */
export const signedInFrom = (network: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from sftp_networks where sftp_user_id = u.id and network = ${network}
    and last_seen_at > ${now}::timestamptz - make_interval(days => ${lastsDays}))`

/** Stores the network of a successful sign-in of an SFTP user. */
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

/** Deletes the networks without recent sign-ins. */
export async function forgetNetworks(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`delete from sftp_networks
    where last_seen_at < ${now}::timestamptz - make_interval(days => ${lastsDays})`.execute(db)
}
