import { timingSafeEqual } from 'node:crypto'
import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'
import { sql } from 'kysely'
import { atAccount, fromNetwork, giveBackGuess, takeGuess } from '#server/auth/guesses.ts'
import { verifyPassword } from '#server/auth/password.ts'
import type { Services } from '#server/http/route.ts'

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
  const bounds = [atAccount(`sftp ${username.toLowerCase()}`), fromNetwork(`sftp ${address}`)]
  for (const bound of bounds) if (await takeGuess(services.db, bound, now)) return null
  const user = await userNamed(services, username)
  if (!(await verifyPassword(password, user?.password_hash ?? null, services.auth.passwordCost)) || !user) return null
  for (const bound of bounds) await giveBackGuess(services.db, bound, now)
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
  if (context.method === 'password') return byPassword(services, context.username, context.password, address)
  return context.method === 'publickey' ? byKey(services, context) : null
}
