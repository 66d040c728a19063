import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import ssh2, { type ParsedKey } from 'ssh2'
import type { Kysely } from 'kysely'
import { seal, unseal } from '#server/auth/sealing.ts'
import type { Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'

/** Kinds of host keys, with their settings; clients prefer the first. */
const hostKeySettings = { ed25519: 'sftp-host-key', rsa: 'sftp-host-key-rsa' } as const
type HostKeyKind = keyof typeof hostKeySettings

/** Size of an RSA host key, for clients without Ed25519: as strong as a symmetric key of 128 bits (NIST SP 800-57). */
const rsaBits = 3072

const canBeRead = (key: string): boolean => !(ssh2.utils.parseKey(key) instanceof Error)

/** A new Ed25519 pair. The library drops a leading zero byte, so that about one in 200 of its pairs cannot be parsed. */
export function newKeyPair(): { public: string; private: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519')
    if (canBeRead(made.private) && canBeRead(made.public)) return made
  }
}

/** A new RSA private key in PEM. */
async function newRsaKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: rsaBits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return privateKey
}

/** The private host keys of this server, the preferred one first: created once per database, and stored encrypted. */
export async function hostKeys(db: Kysely<Database>, sealingKey: Buffer): Promise<string[]> {
  const keys: string[] = []
  for (const kind of Object.keys(hostKeySettings) as HostKeyKind[]) keys.push(await hostKey(db, sealingKey, kind))
  return keys
}

async function hostKey(db: Kysely<Database>, sealingKey: Buffer, kind: HostKeyKind): Promise<string> {
  const setting = hostKeySettings[kind]
  const stored = await settingOf(db, setting)
  const key = stored && unseal(sealingKey, stored, setting)
  if (key && canBeRead(key)) return key
  const made = seal(sealingKey, kind === 'rsa' ? await newRsaKey() : newKeyPair().private, setting)
  // When several processes start at once, the first key stays; an unreadable one, which was never used, is replaced.
  await db
    .insertInto('settings')
    .values({ name: setting, value: made })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: made })
        .where('settings.value', '=', stored ?? ''),
    )
    .execute()
  return unseal(sealingKey, (await settingOf(db, setting)) ?? made, setting)
}

/** A public host key as clients show it on the first connection. */
export interface HostKeyFingerprint {
  /** `ssh-ed25519` */
  type: string
  /** `SHA256:…` */
  fingerprint: string
}

/** The fingerprints of the host keys, the preferred one first. */
export async function hostKeyFingerprints(db: Kysely<Database>, sealingKey: Buffer): Promise<HostKeyFingerprint[]> {
  return (await hostKeys(db, sealingKey)).map((text) => {
    const key = ssh2.utils.parseKey(text) as ParsedKey
    const hash = createHash('sha256').update(key.getPublicSSH()).digest('base64').replace(/=+$/, '')
    return { type: key.type, fingerprint: `SHA256:${hash}` }
  })
}
