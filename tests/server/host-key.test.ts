import ssh2 from 'ssh2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal, unseal } from '#server/auth/sealing.ts'
import { hostKey, newKeyPair } from '#server/sftp/host-key.ts'
import { settingOf } from '#server/tables/setting.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const sealingKey = Buffer.alloc(32, 7)
const canBeRead = (key: string) => !(ssh2.utils.parseKey(key) instanceof Error)

/** One of some 200 pairs of the library, which lacks a zero. */
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

test('a server is known again by its key, also where several start at once, and one that nobody can read is replaced', async () => {
  const first = await Promise.all([1, 2, 3].map(() => hostKey(database.db, sealingKey)))
  expect(new Set([...first, await hostKey(database.db, sealingKey)]).size).toBe(1)
  expect(canBeRead(first[0] as string)).toBe(true)

  const broken = seal(sealingKey, unreadable(), 'sftp-host-key')
  await database.db.updateTable('settings').set({ value: broken }).where('name', '=', 'sftp-host-key').execute()
  const mended = await Promise.all([1, 2, 3].map(() => hostKey(database.db, sealingKey)))
  expect(new Set([...mended, await hostKey(database.db, sealingKey)]).size).toBe(1)
  expect(canBeRead(mended[0] as string)).toBe(true)
  expect(unseal(sealingKey, (await settingOf(database.db, 'sftp-host-key')) ?? '', 'sftp-host-key')).toBe(mended[0])
})
