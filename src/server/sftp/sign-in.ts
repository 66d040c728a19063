import { timingSafeEqual } from 'node:crypto'
import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'
import { sql } from 'kysely'
import { isUsername, longestUsername } from '#domain/sftp-user.ts'
import { atAccount, type Bound, fromNetwork, giveBackGuess, takeGuess } from '#server/auth/guesses.ts'
import { placeOf } from '#server/auth/hash-queue.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { networkOf } from '#server/auth/network.ts'
import type { Services } from '#server/http/route.ts'
import { Refused } from '#server/refused.ts'

/** Somebody who brings and fetches files of an organization. */
export interface SftpPerson {
  id: number
  username: string
  organization_id: number
  version: number
}

interface Known extends SftpPerson {
  password_hash: string | null
  ssh_key: string | null
}

async function userNamed({ db }: Services, username: string): Promise<Known | null> {
  const { rows } = await sql<Known>`select id, username, organization_id, version, password_hash, ssh_key from sftp_users
    where lower(username) = lower(${username})`.execute(db)
  return rows[0] ?? null
}

/** Whether somebody is still who signed in: was not deleted, and has the same password or key. */
export async function isStill({ db }: Pick<Services, 'db'>, { id, version }: SftpPerson): Promise<boolean> {
  const { rows } = await sql`select 1 from sftp_users where id = ${id} and version = ${version}`.execute(db)
  return rows.length > 0
}

/** By a password: bounded at the account and from the network, and as slow for a name that nobody has. */
async function byPassword(services: Services, username: string, password: string, address: string): Promise<SftpPerson | null> {
  const now = new Date()
  const taken: Bound[] = []
  const giveBack = async () => {
    for (const bound of taken) await giveBackGuess(services.db, bound, now)
  }
  // The network first: what is refused there is no guess at the account, of which only so many are judged in a day.
  for (const bound of [fromNetwork(`sftp ${networkOf(address)}`), atAccount(`sftp ${username.toLowerCase()}`)]) {
    if (await takeGuess(services.db, bound, now)) {
      await giveBack()
      return null
    }
    taken.push(bound)
  }
  const user = await userNamed(services, username)
  const place = placeOf({ address, device: null }, false)
  const good = await verifyPassword(password, user?.password_hash ?? null, services.auth.passwordCost, place).catch(
    async (error) => {
      await giveBack()
      // Too many wait already: this one was not judged.
      if (error instanceof Refused) return false
      throw error
    },
  )
  if (!good || !user) return null
  await giveBack()
  return user
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** By the key: asked first whether it would do, then with a signature of this session by it. */
async function byKey(services: Services, context: Extract<AuthContext, { method: 'publickey' }>): Promise<SftpPerson | null> {
  const user = await userNamed(services, context.username)
  const key = user?.ssh_key ? (ssh2.utils.parseKey(user.ssh_key) as ParsedKey | Error) : null
  if (!user || !key || key instanceof Error || !isSame(Buffer.from(key.getPublicSSH()), context.key.data)) return null
  if (!context.signature || !context.blob) return user
  // Without a hash that the client names it is that of the key.
  return key.verify(context.blob, context.signature, context.hashAlgo) === true ? user : null
}

/** Who somebody is who asks to sign in; null for nobody. */
export async function signIn(services: Services, context: AuthContext, address: string): Promise<SftpPerson | null> {
  // Of what nobody can be called nothing is looked up or kept.
  if (context.username.length > longestUsername || !isUsername(context.username)) return null
  if (context.method === 'password') return byPassword(services, context.username, context.password, address)
  return context.method === 'publickey' ? byKey(services, context) : null
}
