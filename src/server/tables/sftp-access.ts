import { type Kysely, sql } from 'kysely'
import type { MappingKind } from '#domain/mapping-fields.ts'
import type { SftpFailure } from '#domain/sftp-connection.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'

/**
 * Records the sign-in of an SFTP user and resets the failed attempts. Written at most once an hour, so that not every connection
 * causes a write.
 */
export async function noteSignIn(db: Kysely<Database>, id: number, network: string, now: Date): Promise<void> {
  await sql`update sftp_users set signed_in_at = ${now}, signed_in_from = ${network}, failed_attempts = 0, failed_at = null,
      failed_because = null
    where id = ${id} and (failed_attempts > 0 or signed_in_from is distinct from ${network}
      or signed_in_at is null or signed_in_at < ${now}::timestamptz - interval '1 hour')`.execute(db)
}

/**
 * Counts a failed attempt of an SFTP user, with the reason of the last one. At most one per second is counted, so that a flood of
 * attempts does not cause a flood of writes.
 */
export async function noteFailure(db: Kysely<Database>, id: number, because: SftpFailure, now: Date): Promise<void> {
  await sql`update sftp_users set failed_attempts = failed_attempts + 1, failed_at = ${now}, failed_because = ${because}
    where id = ${id} and (failed_at is null or failed_at < ${now}::timestamptz - interval '1 second')`.execute(db)
}

interface SignIns {
  signed_in_at: Date | null
  signed_in_from: string | null
  failed_attempts: number
  failed_at: Date | null
  failed_because: SftpFailure | null
}

/** The last sign-in of an SFTP user, and the failed attempts since. */
export async function signInsOf(tx: Tx, id: number): Promise<SignIns> {
  const { rows } = await sql<SignIns>`select signed_in_at, signed_in_from, failed_attempts, failed_at, failed_because
    from sftp_users where id = ${id}`.execute(tx)
  return rows[0] as SignIns
}

/** The file names of an organization's mappings, without those of files that the server writes. */
export async function fileNamesOf(
  tx: Tx,
  organizationId: number,
): Promise<{ file_name: string; employer_name: string; kind: MappingKind }[]> {
  return selectAll<{ file_name: string; employer_name: string; kind: MappingKind }>(tx)`
    select mappings.file_name, employers.internal_name as employer_name, mappings.kind from mappings
    join employers on employers.id = mappings.employer_id
    where employers.organization_id = ${organizationId} and mappings.kind <> 'DEDUCTION'
    order by employers.internal_name, mappings.kind, mappings.id limit 200`
}
