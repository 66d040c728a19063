import { createPublicKey } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal, unseal } from '#server/auth/sealing.ts'
import { hostKeys, newKeyPair } from '#server/auth/host-key.ts'
import { settingOf } from '#server/tables/setting.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const sealingKey = Buffer.alloc(32, 7)
const canBeRead = (key: string) => !(ssh2.utils.parseKey(key) instanceof Error)

/** One of the some 200 pairs of the library that lack a zero. */
function unreadable(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!canBeRead(key)) return key
  }
}

test('a pair of keys can always be read', () => {
  const pairs = Array.from({ length: 2_000 }, newKeyPair)
  expect(pairs.filter((pair) => !canBeRead(pair.private) || !canBeRead(pair.public))).toEqual([])
})

test('a server has an Ed25519 and an RSA key, also on concurrent starts, and replaces bad ones', async () => {
  const first = await Promise.all([1, 2, 3].map(() => hostKeys(database.db, sealingKey)))
  for (const keys of [...first, await hostKeys(database.db, sealingKey)]) expect(keys).toEqual(first[0])
  const parsed = (first[0] as string[]).map((key) => ssh2.utils.parseKey(key) as ParsedKey)
  expect(parsed.map(({ type }) => type)).toEqual(['ssh-ed25519', 'ssh-rsa'])
  expect(createPublicKey((parsed[1] as ParsedKey).getPublicPEM()).asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 })

  const broken = seal(sealingKey, unreadable(), 'sftp-host-key')
  await database.db.updateTable('settings').set({ value: broken }).where('name', '=', 'sftp-host-key').execute()
  const mended = await Promise.all([1, 2, 3].map(() => hostKeys(database.db, sealingKey)))
  for (const keys of mended) expect(keys).toEqual(mended[0])
  const [ed25519, rsa] = mended[0] as string[]
  expect(canBeRead(ed25519 as string)).toBe(true)
  expect(unseal(sealingKey, (await settingOf(database.db, 'sftp-host-key')) ?? '', 'sftp-host-key')).toBe(ed25519)
  // The other one stays as it was.
  expect(rsa).toBe(first[0]?.[1])
})
