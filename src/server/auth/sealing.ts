import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { sameSecret } from '#server/auth/secret.ts'
import { CannotStart, codeOf } from '#server/cannot-start.ts'
import type { Settings } from '#server/boot/settings.ts'
import type { Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'

const prefix = 'sealed.1.'
const ivBytes = 12
const tagBytes = 16
const keyFile = 'application.secret'
const checkSetting = 'application-secret-check'
/** Setting that holds the secret without APPLICATION_SECRET or a data folder. */
const secretSetting = 'application-secret'

/** Encrypts a secret of one person with AES-256-GCM; it cannot be decrypted in another person's row. */
export function seal(key: Buffer, secret: string, personId: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(personId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/**
 * Decrypts the secret in a person's row, or returns one stored before encryption existed; throws if it was altered or has another
 * key.
 */
export function unseal(key: Buffer, stored: string, personId: string): string {
  if (!stored.startsWith(prefix)) return stored
  const bytes = Buffer.from(stored.slice(prefix.length), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(personId))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/** The encryption key derived from a secret of any length. */
export const sealingKeyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'admin-portal authenticator secrets', 32))

/**
 * The encryption key of this service: from APPLICATION_SECRET, else from a file in the data folder, next to the embedded
 * PostgreSQL and outside of it. A database of DATABASE_URL without APPLICATION_SECRET stores its own, so that all of its
 * processes share it. Throws CannotStart if the database was used with another.
 */
export async function openSealingKey(
  db: Kysely<Database>,
  settings: Pick<Settings, 'applicationSecret' | 'databaseUrl' | 'dataFolder'>,
): Promise<Buffer> {
  const secret = settings.applicationSecret ?? (settings.databaseUrl ? await secretIn(db) : secretOf(settings.dataFolder))
  const key = sealingKeyOf(secret)
  const check = createHmac('sha256', key).update('check').digest('base64url')
  if (!sameSecret(await storeOnce(db, checkSetting, check), check))
    throw new CannotStart(
      settings.applicationSecret || settings.databaseUrl
        ? 'APPLICATION_SECRET is not the one that this database was first used with: set it to that one.'
        : `The file ${join(settings.dataFolder, keyFile)} is not the one that this database was first used with: restore it, or set APPLICATION_SECRET to its content.`,
    )
  return key
}

const secretIn = (db: Kysely<Database>) => storeOnce(db, secretSetting, newSecret())

const newSecret = () => randomBytes(32).toString('base64url')

/** Stores a setting that never changes; two concurrent calls both return the first value. */
async function storeOnce(db: Kysely<Database>, name: string, value: string): Promise<string> {
  await sql`insert into settings (name, value) values (${name}, ${value}) on conflict (name) do nothing`.execute(db)
  return (await settingOf(db, name)) as string
}

/** The secret in a data folder; created there atomically if there is none. */
function secretOf(dataFolder: string): string {
  const path = join(dataFolder, keyFile)
  const fresh = join(dataFolder, `${keyFile}.new-${process.pid}`)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw new CannotStart(`The file ${path} cannot be read: give your user the right to.`)
  }
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(fresh, newSecret(), { mode: 0o600 })
  try {
    linkSync(fresh, path)
  } catch (error) {
    // Another process was first: its secret is used.
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

/** Encrypts secrets stored before encryption existed. */
export async function sealPlainSecrets(db: Kysely<Database>, key: Buffer): Promise<void> {
  const plain = await db
    .selectFrom('people')
    .select(['id', 'totp_secret'])
    .where('totp_secret', 'is not', null)
    .where('totp_secret', 'not like', `${prefix}%`)
    .execute()
  for (const { id, totp_secret: secret } of plain)
    await db
      .updateTable('people')
      .set({ totp_secret: seal(key, secret as string, id) })
      .where('id', '=', id)
      .where('totp_secret', '=', secret)
      .execute()
}
