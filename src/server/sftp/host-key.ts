import ssh2 from 'ssh2'
import type { Kysely } from 'kysely'
import { seal, unseal } from '#server/auth/sealing.ts'
import type { Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'

const setting = 'sftp-host-key'

const canBeRead = (key: string): boolean => !(ssh2.utils.parseKey(key) instanceof Error)

/** A new Ed25519 pair. The library drops a zero at the beginning of a number: of some 200 pairs it makes, nobody reads one. */
export function newKeyPair(): { public: string; private: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519')
    if (canBeRead(made.private) && canBeRead(made.public)) return made
  }
}

/** The private key by which clients know this server again: made once for a database, and kept sealed. */
export async function hostKey(db: Kysely<Database>, sealingKey: Buffer): Promise<string> {
  const kept = await settingOf(db, setting)
  const key = kept && unseal(sealingKey, kept, setting)
  if (key && canBeRead(key)) return key
  const made = seal(sealingKey, newKeyPair().private, setting)
  // Of several processes that start at once, the first one's stays; one that nobody can read, which was never used, goes.
  await db
    .insertInto('settings')
    .values({ name: setting, value: made })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: made })
        .where('settings.value', '=', kept ?? ''),
    )
    .execute()
  return unseal(sealingKey, (await settingOf(db, setting)) ?? made, setting)
}
