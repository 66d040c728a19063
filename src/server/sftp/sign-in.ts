import { timingSafeEqual } from 'node:crypto'
import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'
import { isUsername, maxUsernameLength } from '#domain/sftp-user.ts'
import { atAccount, fromBlock, fromKnownNetwork, fromNetwork, obstacleTo, takeGuesses } from '#server/limits/guesses.ts'
import { placeOf } from '#server/limits/hash-queue.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { blockOf, networkOf } from '#server/limits/network.ts'
import type { Services } from '#server/http/route.ts'
import { Refused } from '#server/http-error.ts'
import { knowNetwork, signedInFrom } from '#server/limits/known-networks.ts'
import { isSignedBySecurityKey } from '#server/sftp/security-key.ts'
import { recordGuessing } from '#server/sftp/record-guessing.ts'
import { noteFailure, noteSignIn } from '#server/tables/sftp-access.ts'
import type { Caller } from '#server/auth/caller.ts'
import { isFound, selectOne } from '#server/postgres/select.ts'

/** A user who uploads and downloads files of an organization. */
export interface SftpPerson {
  id: number
  username: string
  organization_id: number
  version: number
}

interface SftpAccount extends SftpPerson {
  password_hash: string | null
  ssh_key: string | null
  /** Whether it signed in from this network before. */
  from_known_network: boolean
}

async function userNamed({ db }: Services, username: string, network: string, now: Date): Promise<SftpAccount | null> {
  return selectOne<SftpAccount>(db)`
    select id, username, organization_id, version, password_hash, ssh_key, ${signedInFrom(network, now)} as from_known_network
    from sftp_users u where lower(username) = lower(${username})`
}

/** Whether a signed-in user still exists with the same password or key. */
export async function isUnchanged({ db }: Pick<Services, 'db'>, { id, version }: SftpPerson): Promise<boolean> {
  return isFound(db)`select 1 from sftp_users where id = ${id} and version = ${version}`
}

/**
 * By password: limited per account and per network, and just as slow for an unknown name. A user who signed in from this network
 * before has limits and a queue of their own; once these are used up, they count as unknown here, too.
 */
async function byPassword(services: Services, username: string, password: string, caller: Caller): Promise<SftpAccount | null> {
  const now = new Date()
  const network = networkOf(caller.address)
  const user = await userNamed(services, username, network, now)
  const own = user?.from_known_network ? fromKnownNetwork(`sftp ${user.id} ${network}`) : null
  const known = own !== null && (await obstacleTo(services.db, own, now))?.kind !== 'spent'
  // The network first: a guess refused there does not count against the account, which has a daily maximum.
  const account = atAccount(`sftp ${username.toLowerCase()}`)
  const ofStranger = [fromBlock(`sftp block ${blockOf(caller.address)}`), fromNetwork(`sftp ${network}`), account]
  const { refusedBy, giveBack } = await takeGuesses(services.db, known ? [own] : ofStranger, now)
  if (refusedBy) return null
  const place = placeOf(caller, known ? 'files' : 'strangers')
  const good = await verifyPassword(password, user?.password_hash ?? null, services.auth.passwordCost, place).catch(
    async (error) => {
      await giveBack()
      // The queue is full, or the client is gone: this password was not evaluated.
      if (error instanceof Refused) return null
      throw error
    },
  )
  if (good === false && user) await noteFailure(services.db, user.id, user.ssh_key === null ? 'PASSWORD' : 'METHOD', now)
  if (good === false && !known) await recordGuessing(services.db, { user, account, address: caller.address, now })
  if (!good || !user) return null
  await giveBack()
  return user
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** By key: the client first asks whether it would be accepted, then sends a signature of this session with it. */
async function byKey(
  services: Services,
  context: Extract<AuthContext, { method: 'publickey' }>,
  caller: Caller,
): Promise<SftpAccount | null> {
  const user = await userNamed(services, context.username, networkOf(caller.address), new Date())
  if (!user?.ssh_key) return null
  const [type = '', base64 = ''] = user.ssh_key.split(' ')
  const blob = Buffer.from(base64, 'base64')
  if (!isSame(blob, context.key.data)) {
    await noteFailure(services.db, user.id, 'KEY', new Date())
    return null
  }
  if (!context.signature || !context.blob) return user
  // The library does not support security keys; it passes their signatures on unchanged.
  if (type.startsWith('sk-')) return isSignedBySecurityKey(blob, context.blob, context.signature) ? user : null
  const key = ssh2.utils.parseKey(user.ssh_key) as ParsedKey | Error
  if (key instanceof Error) return null
  // Without an explicit hash algorithm, that of the key applies.
  return key.verify(context.blob, context.signature, context.hashAlgo) === true ? user : null
}

/** The user who signs in; null if refused. */
export async function signIn(services: Services, context: AuthContext, caller: Caller): Promise<SftpPerson | null> {
  // Nothing is looked up or stored for an impossible username.
  if (context.username.length > maxUsernameLength || !isUsername(context.username)) return null
  if (context.method !== 'password' && context.method !== 'publickey') return null
  const user =
    context.method === 'password'
      ? await byPassword(services, context.username, context.password, caller)
      : await byKey(services, context, caller)
  // A key without a signature is only a question: nothing has been proved yet.
  const proved = context.method === 'password' || context.signature !== undefined
  if (user && proved) {
    const [network, now] = [networkOf(caller.address), new Date()]
    await knowNetwork(services.db, user.id, network, now)
    await noteSignIn(services.db, user.id, network, now)
  }
  return user
}
