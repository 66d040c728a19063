import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSealingKey, seal, sealingKeyOf, sealPlainSecrets, unseal } from '#server/auth/sealing.ts'
import { newTotpSecret } from '#server/auth/totp.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'

const key = sealingKeyOf('a secret of the application')
const someone = '00000000-0000-4000-8000-000000000001'

test('a sealed secret reveals nothing, differs each time, and opens to the original', () => {
  const secret = newTotpSecret()
  const sealed = [seal(key, secret, someone), seal(key, secret, someone)]
  expect(sealed[0]).not.toBe(sealed[1])
  for (const text of sealed) {
    expect(text).not.toContain(secret)
    expect(Buffer.from(text.split('.')[2] as string, 'base64url').toString('latin1')).not.toContain(secret)
    expect(unseal(key, text, someone)).toBe(secret)
  }
})

test('opens only with its key, for its person, and unaltered', () => {
  const sealed = seal(key, newTotpSecret(), someone)
  expect(() => unseal(sealingKeyOf('another secret'), sealed, someone)).toThrow()
  expect(() => unseal(key, sealed, someone.replace('1', '2'))).toThrow()
  const [head, version, body] = sealed.split('.') as [string, string, string]
  for (const at of [0, 20, 40, body.length - 2]) {
    const altered = body.slice(0, at) + (body[at] === 'A' ? 'B' : 'A') + body.slice(at + 1)
    expect(() => unseal(key, `${head}.${version}.${altered}`, someone)).toThrow()
  }
  expect(() => unseal(key, `${head}.${version}.${body.slice(0, 20)}`, someone)).toThrow()
})

let database: TestDatabase
const folders: string[] = []
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealing-'))
  folders.push(folder)
  return folder
}

test('a plain secret can be read, and is sealed at the next start', async () => {
  const plain = await createPerson(database.db)
  const none = await createPerson(database.db, { totpSecret: null })
  const secretOf = async (id: string) =>
    (await database.db.selectFrom('people').select('totp_secret').where('id', '=', id).executeTakeFirstOrThrow()).totp_secret
  expect(unseal(key, (await secretOf(plain.id)) as string, plain.id)).toBe(plain.totpSecret)
  await sealPlainSecrets(database.db, key)
  const sealed = (await secretOf(plain.id)) as string
  expect(sealed).not.toContain(plain.totpSecret)
  await sealPlainSecrets(database.db, key)
  expect(await secretOf(plain.id)).toBe(sealed)
  expect(unseal(key, sealed, plain.id)).toBe(plain.totpSecret)
  expect(await secretOf(none.id)).toBe(null)
})

test('the key file is readable by its owner only; a wrong folder or secret is refused', async () => {
  const one = await createDatabase()
  try {
    const dataFolder = newFolder()
    const settings = { applicationSecret: undefined, databaseUrl: undefined, dataFolder }
    const [first, twin] = await Promise.all([openSealingKey(one.db, settings), openSealingKey(one.db, settings)])
    const file = join(dataFolder, 'application.secret')
    expect(twin.equals(first)).toBe(true)
    expect((await openSealingKey(one.db, settings)).equals(first)).toBe(true)
    expect(statSync(file).mode & 0o077).toBe(0)
    const kept = await one.db.selectFrom('settings').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(readFileSync(file, 'utf8').trim())
    const moved = { ...settings, applicationSecret: readFileSync(file, 'utf8').trim(), databaseUrl: 'postgres://elsewhere' }
    expect((await openSealingKey(one.db, moved)).equals(first)).toBe(true)
    writeFileSync(file, 'something else')
    await expect(openSealingKey(one.db, settings)).rejects.toThrow(/application\.secret is not the one .* restore it/)
    await expect(openSealingKey(one.db, { ...moved, applicationSecret: 'x'.repeat(40) })).rejects.toThrow(
      'APPLICATION_SECRET is not the one that this database was first used with',
    )
  } finally {
    await one.drop()
  }
})

test('on external PostgreSQL without APPLICATION_SECRET, processes share a key without a file', async () => {
  const [here, there] = [newFolder(), newFolder()]
  const on = (dataFolder: string) =>
    openSealingKey(database.db, { applicationSecret: undefined, databaseUrl: 'postgres://elsewhere', dataFolder })
  const keys = await Promise.all([on(here), on(there)])
  expect(keys[1]?.equals(keys[0] as Buffer)).toBe(true)
  expect([here, there].some((folder) => existsSync(join(folder, 'application.secret')))).toBe(false)
})
