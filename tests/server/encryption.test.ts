import { decrypt, generateKey, readKey, readMessage, readPrivateKey } from 'openpgp'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let companies = 0
let keys: { publicKey: string; privateKey: string }

const owner = [{ name: 'Hanna Harbor', email: 'files@harbor.example' }]
const make = (more: object = {}) => generateKey({ userIDs: owner, format: 'armored', ...more })

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 4, 1003], 'Ada Admin')
  keys = await make()
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`)
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
})

const get = async (who: { headers: Record<string, string> } = admin) =>
  (await call(server, 'GET', `/organizations/${organizationId}`, { headers: who.headers })).body
const put = async (encryption_key: string | null | undefined): Promise<Answer> => {
  const { name, lookup_name, brand, source_code, status, version } = await get()
  const body = {
    name,
    lookup_name,
    brand,
    source_code,
    status,
    version,
    ...(encryption_key === undefined ? {} : { encryption_key }),
  }
  return call(server, 'PUT', `/organizations/${organizationId}`, { headers: admin.headers, body })
}
const privateKeyRefused =
  'This is a private key, and nothing of it was kept. Paste the public key, and keep the private one to yourself.'

const refusalOf = async (key: string) => {
  const { status, body } = await put(key)
  expect([status, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([422, ['encryption_key']])
  return body.errors[0].message
}

test('[SCR-024] an OpenPGP public key is set, shown by fingerprint and owner, kept, and removed', async () => {
  expect((await get()).encryption).toBeNull()
  const set = await put(`  ${keys.publicKey}\n`)
  expect(set.status, JSON.stringify(set.body)).toBe(200)
  const known = await readKey({ armoredKey: keys.publicKey })
  expect(set.body.encryption).toMatchObject({
    fingerprint: known.getFingerprint(),
    user_ids: ['Hanna Harbor <files@harbor.example>'],
    created_at: known.getCreationTime().toISOString(),
    expires_at: null,
  })
  expect((await put(undefined)).body.encryption).toEqual(set.body.encryption)
  expect((await put(null)).body.encryption).toBeNull()
  const { events } = (await call(server, 'GET', `/organizations/${organizationId}/history`, admin)).body
  expect(events[0].changes).toEqual([
    { field: 'encryption_key_fingerprint', before: expect.stringMatching(/^([\dA-F]{4} ){9}[\dA-F]{4}$/), after: null },
  ])
})

test('[SCR-024] the expiry of a key is shown', async () => {
  const { publicKey } = await make({ keyExpirationTime: 90 * 24 * 60 * 60 })
  const { expires_at, created_at } = (await put(publicKey)).body.encryption
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(90 * 24 * 60 * 60 * 1000)
})

test('[VAL-012] an invalid key is refused with the reason, and nothing changes', async () => {
  const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
  expect(await refusalOf('hello')).toBe(`This is no OpenPGP public key: it begins with ${begin}`)
  expect(await refusalOf('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPx ada')).toBe('This is an SSH key. Paste an OpenPGP public key.')
  expect(await refusalOf('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toBe(
    'This is no OpenPGP key. Paste an OpenPGP public key.',
  )
  expect(await refusalOf(keys.privateKey)).toBe(privateKeyRefused)
  const damaged = 'This key is damaged: copy all of it, from BEGIN to END.'
  expect(await refusalOf(keys.publicKey.slice(0, 300))).toBe(damaged)
  const lines = keys.publicKey.split('\n')
  expect(await refusalOf([...lines.slice(0, 4), ...lines.slice(5)].join('\n'))).toBe(damaged)
  expect(await refusalOf(keys.publicKey + keys.publicKey)).toBe('These are several keys. Paste one.')
  const old = await make({ date: new Date('2020-01-01'), keyExpirationTime: 24 * 60 * 60 })
  expect(await refusalOf(old.publicKey)).toBe('This key expired on 2020-01-02. Ask for a new one.')
  const signing = await make({ subkeys: [] })
  expect(await refusalOf(signing.publicKey)).toBe(
    'Nothing can be encrypted to this key: it has no part for that which is valid now.',
  )
  expect(await refusalOf('   ')).toBe('This is a required field.')
  expect(await get()).toMatchObject({ encryption: null, version: 1 })
})

test('EWA files are encrypted to it, so that only its owner can read them', async () => {
  const { deductionId } = await createInvoice(server.db, { employerId, status: 'ON_DEDUCTION_FILE', lineCount: 1 })
  const file = async () => fetch(`${server.origin}/api/deductions/${deductionId}/file`, { headers: admin.headers })
  const plain = await (await file()).text()
  await put(keys.publicKey)
  const sealed = await file()
  if (!sealed.ok) throw new Error(await sealed.text())
  expect(sealed.headers.get('content-disposition')).toMatch(/_ewa\.csv\.pgp/)
  const message = await readMessage({ binaryMessage: new Uint8Array(await sealed.arrayBuffer()) })
  const opened = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: keys.privateKey }) })
  expect(opened.data).toBe(plain)
  // Nothing is sent unencrypted because a key has expired.
  await sql`update encryption_keys set expires_at = now() where organization_id = ${organizationId}`.execute(server.db)
  const late = await file()
  expect([late.status, (await late.json()).detail]).toEqual([
    409,
    'The encryption key of the organization has expired. Set a new one first.',
  ])
})

test('the key is hidden from people who were granted only an employer', async () => {
  await put(keys.publicKey)
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [4], grants: [{ employerId }] })
  expect((await get({ headers: await signInAs(server, person) })).encryption).toBeNull()
})
