import { required } from '#contract/fields.ts'
import {
  changeSftpUser,
  countSftpUsers,
  createSftpUser,
  deleteSftpUser,
  getSftpUser,
  getSftpUserAccess,
  listSftpUserEvents,
  listSftpUsers,
} from '#contract/sftp-users.ts'
import { sftpFailures } from '#domain/sftp-connection.ts'
import { type SftpAuthentication, sftpAuthenticationLabels } from '#domain/sftp-user.ts'
import { sshKeyName } from '#domain/ssh-key.ts'
import { hashPassword } from '#server/auth/password.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { knownSshKey } from '#server/auth/ssh-key.ts'
import { reads } from '#server/http/reads.ts'
import { changing, creating, route } from '#server/http/route.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
import { lockOrganization } from '#server/tables/organizations.ts'
import { fileNamesOf, signInsOf } from '#server/tables/sftp-access.ts'
import {
  deleteSftpUserRow,
  insertSftpUser,
  oneSftpUser,
  type Proof,
  saveProof,
  type SftpUserRow,
  sftpUserList,
  toSftpUser,
} from '#server/tables/sftp-users.ts'

const open = orNotFound(oneSftpUser)

/**
 * The snapshot for the history: the key, or that there is a password. The key has another name than in the body, whose secrets
 * are not stored.
 */
const snapshot = (row: SftpUserRow) => ({
  username: row.username,
  authentication: sftpAuthenticationLabels[row.ssh_key === null ? 'PASSWORD' : 'SSH_KEY'],
  public_key: row.ssh_key_type && `${sshKeyName(row.ssh_key_type)} ${row.ssh_key_fingerprint}`,
})

const sftpUser = { entity: 'sftp-user', snapshot, answer: toSftpUser }

const change = changing({ ...sftpUser, subject: ({ tx, actor, params }) => oneSftpUser(tx, actor, params.id, { lock: true }) })

const create = creating(({ tx, actor, body }) => lockOrganization(tx, actor, Number(body?.['organization_id'])), sftpUser)

interface SubmittedUser {
  authentication: SftpAuthentication
  password?: string | undefined
  ssh_key?: string | undefined
}

/** Hashes the password before the transaction, since it takes long and would hold the lock of the organization. */
const hashAhead = async ({ body: { authentication, password }, auth }: { body: SubmittedUser; auth: AuthSettings }) =>
  authentication === 'PASSWORD' && password !== undefined ? hashPassword(password, auth.passwordCost) : null

/** The credentials of a user; a password is stored as its hash. */
async function proofOf({ authentication, ssh_key }: SubmittedUser, password_hash: string | null): Promise<Proof> {
  if (authentication === 'PASSWORD') {
    if (password_hash === null) throw invalid([{ path: 'password', message: required }])
    return { password_hash, ssh_key: null, ssh_key_type: null, ssh_key_fingerprint: null }
  }
  if (ssh_key === undefined) throw invalid([{ path: 'ssh_key', message: required }])
  const key = await knownSshKey(ssh_key)
  if (typeof key === 'string') throw invalid([{ path: 'ssh_key', message: key }])
  return { password_hash: null, ssh_key: key.text, ssh_key_type: key.type, ssh_key_fingerprint: key.fingerprint }
}

export const routes = [
  ...reads(
    { list: listSftpUsers, count: countSftpUsers, get: getSftpUser, history: listSftpUserEvents },
    { list: sftpUserList, open, answer: toSftpUser, entity: 'sftp-user' },
  ),

  route(getSftpUserAccess, async ({ tx, actor, params, services: { db, auth } }) => {
    const { id, organization_id } = await open(tx, actor, params.id)
    const { signed_in_at, signed_in_from, failed_attempts, failed_at, failed_because } = await signInsOf(tx, id)
    // Only a server with SFTP needs the library at start.
    const { hostKeyFingerprints } = await import('#server/auth/host-key.ts')
    return {
      address: auth.sftpAddress ?? null,
      host_keys: auth.sftpAddress ? await hostKeyFingerprints(db, auth.sealingKey) : [],
      file_names: await fileNamesOf(tx, organization_id),
      last_sign_in: signed_in_at && { at: signed_in_at.toISOString(), from: signed_in_from ?? '' },
      failed_attempts:
        failed_at && failed_because
          ? { count: failed_attempts, last_at: failed_at.toISOString(), reason: sftpFailures[failed_because] }
          : null,
    }
  }),

  create(
    createSftpUser,
    async ({ tx, actor, body, ahead }) => {
      const { organization_id, username } = body
      const id = await insertSftpUser(tx, actor, { organization_id, username, ...(await proofOf(body, ahead)) })
      if (id === null) throw invalid([{ path: 'username', message: 'This username is taken. Choose another one.' }])
      return { after: await open(tx, actor, id) }
    },
    hashAhead,
  ),

  change(
    changeSftpUser,
    async ({ tx, actor, subject, body, now, ahead }) => {
      await saveProof(tx, subject.id, await proofOf(body, ahead), now)
      return { after: await open(tx, actor, subject.id) }
    },
    hashAhead,
  ),

  change(deleteSftpUser, async ({ tx, subject }) => {
    await deleteSftpUserRow(tx, subject.id)
    return { after: subject, text: subject.username }
  }),
]
