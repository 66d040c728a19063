import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Creates the SFTP users of a third of the organizations; each has a public key without a known private key. */
export async function seedSftpUsers(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into sftp_users (organization_id, username, ssh_key, ssh_key_type, ssh_key_fingerprint, created_at, updated_at,
      created_by, created_by_name)
    select organization_id, username, 'ssh-ed25519 ' || encode(blob, 'base64'), 'ssh-ed25519',
      'SHA256:' || rtrim(encode(sha256(blob), 'base64'), '='), made, made, staff.id::text, staff.name
    from (select id as organization_id, left(regexp_replace(lookup_name, '[^a-z0-9]+', '-', 'g'), 40) || '-' || id % 1000 as username,
        ${today}::date - (10 + floor(pg_temp.chance(id, 251) * 300))::int * interval '1 day' + interval '16 hours' as made
      from organizations where pg_temp.chance(id, 250) < 0.35 or id = (select min(id) from organizations)) owner
    cross join lateral (select '\\x0000000b7373682d6564323535313900000020'::bytea || sha256(username::bytea) as blob) key
    cross join (select id, name from people where email = 'priya.raman@example.com') staff
    order by organization_id`.execute(tx)
}
