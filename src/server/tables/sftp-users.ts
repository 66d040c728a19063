import { type Selectable, sql } from 'kysely'
import { listSftpUsers, SftpUser } from '#contract/sftp-users.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { organizationWholeTo } from '#server/access/scope.ts'
import { defineList } from '#server/paging/define-list.ts'
import { searched } from '#server/tables/company-words.ts'
import { idIn, choice } from '#server/tables/conditions.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { saveRow } from '#server/tables/rows.ts'

/** The table `sftp_users`. */
export interface SftpUserTable extends Stamped {
  organization_id: number
  username: string
  password_hash: string | null
  ssh_key: string | null
  ssh_key_type: string | null
  ssh_key_fingerprint: string | null
  created_by: string
  created_by_name: string
}

/** The table `sftp_networks`: networks from which an SFTP user signed in before. */
interface SftpNetworkTable {
  sftp_user_id: number
  network: string
  last_seen_at: Date
}

declare module '#server/tables/database.ts' {
  interface Database {
    sftp_users: SftpUserTable
    sftp_networks: SftpNetworkTable
  }
}

/** An SFTP user without its password hash, which stays in the database. */
export interface SftpUserRow extends Omit<Selectable<SftpUserTable>, 'password_hash'> {
  organization_name: string
}

const column = (name: string) => sql.ref(`e.${name}`)
/** It delivers files of the whole organization: only people granted all of the organization see it. */
const open = (actor: Reader) => organizationWholeTo(actor, column('organization_id'))
const joined = sql`sftp_users e join organizations organization on organization.id = e.organization_id`
const columns = sql<SftpUserRow>`e.id, e.organization_id, organization.name as organization_name, e.username, e.ssh_key, e.ssh_key_type,
  e.ssh_key_fingerprint, e.created_at, e.created_by, e.created_by_name, e.updated_at, e.version`

/** SFTP users, by username by default. */
export const sftpUserList = defineList({
  endpoint: listSftpUsers,
  from: joined,
  open,
  filters: {
    id: idIn(column('id')),
    'organization-id': idIn(column('organization_id')),
    ...choice('authentication', sql`case when e.ssh_key is null then 'PASSWORD' else 'SSH_KEY' end`),
    q: searched(sql`(fold(e.username) || ' ' || organization.name_key)`),
  },
  sorts: {
    id: null,
    username: sql`lower(e.username) collate "C"`,
    organization: sql.ref('organization.name_key'),
    created_at: column('created_at'),
    updated_at: column('updated_at'),
  },
  columns,
  lock: (id) => sql`select 1 from sftp_users where id = ${id} for update`,
})

export const oneSftpUser = sftpUserList.one

/** The credentials of an SFTP user: a password or a key. */
export type Proof = Pick<SftpUserTable, 'password_hash' | 'ssh_key' | 'ssh_key_type' | 'ssh_key_fingerprint'>

/** Adds an SFTP user to a locked organization; returns its id, or null if the username is taken. */
export async function insertSftpUser(
  tx: Tx,
  actor: Actor,
  values: Pick<SftpUserTable, 'organization_id' | 'username'> & Proof,
): Promise<number | null> {
  const made = await tx
    .insertInto('sftp_users')
    .values({ ...values, created_by: actor.id, created_by_name: actor.name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** Replaces the password or key of a locked SFTP user. */
export async function saveProof(tx: Tx, id: number, proof: Proof, now: Date): Promise<void> {
  await saveRow(tx, 'sftp_users', id, proof, now)
}

/** Deletes a locked SFTP user. */
export const deleteSftpUserRow = (tx: Tx, id: number) => tx.deleteFrom('sftp_users').where('id', '=', id).execute()

/** An SFTP user as returned by the API. */
export const toSftpUser = (row: SftpUserRow): SftpUser =>
  answerOf(SftpUser, {
    ...row,
    authentication: row.ssh_key === null ? 'PASSWORD' : 'SSH_KEY',
    created_by: row.created_by_name,
  })
