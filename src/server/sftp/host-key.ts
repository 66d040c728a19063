import ssh2 from 'ssh2'
import type { Kysely } from 'kysely'
import { seal, unseal } from '#server/auth/sealing.ts'
import type { Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'

const setting = 'sftp-host-key'

/** The private key by which clients know this server again: made once for a database, and kept sealed. */
export async function hostKey(db: Kysely<Database>, sealingKey: Buffer): Promise<string> {
  const made = seal(sealingKey, ssh2.utils.generateKeyPairSync('ed25519').private, setting)
  // Of several processes that start at once, the first one's stays.
  await db
    .insertInto('settings')
    .values({ name: setting, value: made })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return unseal(sealingKey, (await settingOf(db, setting)) ?? made, setting)
}
