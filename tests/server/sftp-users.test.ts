import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { generatePrivateKey, parseKey, parsePrivateKey } from 'sshpk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTurn, ofTheServer, refuseWhenFull } from '#server/limits/hash-queue.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking, refusedFields } from '#tests/support/asking.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

const ed25519 = generatePrivateKey('ed25519').toPublic().toString('ssh')
const rsaOf = (bits: number) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return parseKey(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'pem').toString('ssh')
}
const part = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.from(bytes as string).length)
  return Buffer.concat([length, Buffer.from(bytes as string)])
}
const blobOf = (key: string) => Buffer.from(key.split(' ')[1] as string, 'base64')
/** The parts of a key, of which the first is its type. */
const partsOf = (blob: Buffer): Buffer[] =>
  blob.length === 0 ? [] : [blob.subarray(4, 4 + blob.readUInt32BE(0)), ...partsOf(blob.subarray(4 + blob.readUInt32BE(0)))]
/** The same key as a security key. */
const onSecurityKey = (key: string, type: string) => {
  const [old = ''] = key.split(' ')
  const rest = blobOf(key).subarray(4 + old.length)
  return `${type} ${Buffer.concat([part(type), rest, part('ssh:')]).toString('base64')} ada@laptop`
}
const password = 'Harbor-2026-Files'

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [3, 4, 1020], 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`)
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
})

const withPassword = (more: object = {}) => ({
  organization_id: organizationId,
  username: `harbor-${companies}`,
  authentication: 'PASSWORD',
  password,
  ...more,
})
const withKey = (ssh_key: string | undefined, more: object = {}) => ({
  organization_id: organizationId,
  username: `harbor-${companies}`,
  authentication: 'SSH_KEY',
  ssh_key,
  ...more,
})
const hashOf = async (id: number) =>
  (await sql<{ password_hash: string | null }>`select password_hash from sftp_users where id = ${id}`.execute(server.db)).rows[0]
    ?.password_hash ?? null

test('[API-102] [API-103] [ENT-125] [ENT-127] a new SFTP user is listed with its organization and creation time', async () => {
  const made = await good('POST', '/sftp-users', withPassword())
  expect(made).toMatchObject({
    organization_id: organizationId,
    username: `harbor-${companies}`,
    authentication: 'PASSWORD',
    ssh_key: null,
    created_by: 'Ada Admin',
    version: 1,
  })
  expect(Math.abs(Date.now() - Date.parse(made.created_at))).toBeLessThan(60_000)
  expect((await good('GET', `/sftp-users?organization-id=${organizationId}`)).sftp_users).toEqual([made])
  expect(await good('GET', `/sftp-users/count?organization-id=${organizationId}&authentication=SSH_KEY`)).toMatchObject({
    count: 0,
  })
  expect((await good('GET', `/sftp-users?organization-id=${organizationId}&q=harbor`)).sftp_users).toHaveLength(1)
  const other = (await createCompany(server.db, `Other ${companies}`)).organizationId
  expect((await good('GET', `/sftp-users?organization-id=${other}`)).sftp_users).toEqual([])
})

test('[API-103] organization-id works in the query as well as in the body', async () => {
  const { organization_id: _, ...user } = withPassword()
  const made = await good('POST', `/sftp-users?organization-id=${organizationId}`, user)
  expect(made).toMatchObject({ organization_id: organizationId, username: user.username })
  expect((await good('GET', `/sftp-users?organization-id=${organizationId}`)).sftp_users).toEqual([made])
  const other = (await createCompany(server.db, `Other ${companies}`)).organizationId
  expect(refusedFields(await send('POST', `/sftp-users?organization-id=${other}`, withPassword({ username: 'x' })))).toEqual({
    organization_id: 'Differs from the parameter organization-id.',
  })
  expect((await send('POST', '/sftp-users?organization-id=999999999', { ...user, username: 'x' })).status).toBe(404)
  expect((await send('POST', '/sftp-users?organization-id=0', { ...user, username: 'x' })).status).toBe(422)
  expect((await good('GET', `/sftp-users?organization-id=${other}`)).sftp_users).toEqual([])
})

test('[ENT-126] a password is stored as a hash, and never returned', async () => {
  const headers = { ...admin.headers, 'idempotency-key': `secret-${organizationId}` }
  const twice = [
    await call(server, 'POST', '/sftp-users', { headers, body: withPassword() }),
    await call(server, 'POST', '/sftp-users', { headers, body: withPassword() }),
  ]
  expect(twice.map(({ status }) => status)).toEqual([201, 201])
  const id: number = twice[0]?.body.id
  const hash = await hashOf(id)
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await verifyPassword(password, hash, server.services.auth.passwordCost)).toBe(true)
  const text = JSON.stringify([twice, await good('GET', `/sftp-users/${id}`), await good('GET', `/sftp-users/${id}/history`)])
  expect(text).not.toContain(password)
  expect(text).not.toContain('argon2')
  const { rows } = await sql`select * from audit_events where entity = 'sftp-user' and entity_id = ${String(id)}`.execute(
    server.db,
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(password)
})

/** Whether the queue of passwords refuses another call of the server. */
function isFull(): boolean {
  try {
    refuseWhenFull(ofTheServer)
    return false
  } catch {
    return true
  }
}

test('an organization is not locked while the password of its SFTP user is hashed', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // Two are hashed and 49 wait, so that the queue is full once the password of the user waits, too.
  const busy = Array.from({ length: 51 }, () => inTurn(ofTheServer, () => held))
  const made = send('POST', '/sftp-users', withPassword())
  await expect.poll(isFull).toBe(true)
  const { rows } = await sql`select 1 from organizations where id = ${organizationId} for update skip locked`.execute(server.db)
  release()
  await Promise.all(busy)
  expect(rows).toHaveLength(1)
  expect((await made).status).toBe(201)
})

test.each([
  ['ssh-ed25519', 'Ed25519', () => ed25519],
  ['ecdsa-sha2-nistp256', 'ECDSA P-256', () => generatePrivateKey('ecdsa', { curve: 'nistp256' }).toPublic().toString('ssh')],
  ['ecdsa-sha2-nistp384', 'ECDSA P-384', () => generatePrivateKey('ecdsa', { curve: 'nistp384' }).toPublic().toString('ssh')],
  ['ecdsa-sha2-nistp521', 'ECDSA P-521', () => generatePrivateKey('ecdsa', { curve: 'nistp521' }).toPublic().toString('ssh')],
  ['ssh-rsa', 'RSA', () => rsaOf(2048)],
  ['sk-ssh-ed25519@openssh.com', 'Ed25519 on a security key', () => onSecurityKey(ed25519, 'sk-ssh-ed25519@openssh.com')],
  [
    'sk-ecdsa-sha2-nistp256@openssh.com',
    'ECDSA P-256 on a security key',
    () =>
      onSecurityKey(
        generatePrivateKey('ecdsa', { curve: 'nistp256' }).toPublic().toString('ssh'),
        'sk-ecdsa-sha2-nistp256@openssh.com',
      ),
  ],
])('[ENT-126] [SFT-005] a key of the type %s is accepted, without its comment', async (type, name, make) => {
  const key = make()
  const made = await good('POST', '/sftp-users', withKey(`  ${key}\n`))
  expect(made).toMatchObject({ authentication: 'SSH_KEY', ssh_key_type: type, ssh_key: `${type} ${key.split(' ')[1]}` })
  expect(made.ssh_key_fingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
  expect(await hashOf(made.id)).toBeNull()
  const [event] = (await good('GET', `/sftp-users/${made.id}/history`)).events
  expect(event.status).toBe('Created')
  expect(JSON.stringify(event.changes)).toContain(name)
})

test('[SFT-005] a key that is not a public one of a safe type is refused, and named', async () => {
  const refusalOf = async (key: string) => {
    const messages = refusedFields(await send('POST', '/sftp-users', withKey(key)))
    expect(Object.keys(messages)).toEqual(['ssh_key'])
    return messages['ssh_key']
  }
  const damaged = 'This key is damaged: copy all of its line.'
  const priv =
    'This is a private key, and nothing of it was kept. Paste the public key, from the file that ends with .pub, and keep the private one to yourself.'
  expect(await refusalOf(generatePrivateKey('ed25519').toString('openssh'))).toBe(priv)
  expect(await refusalOf(parsePrivateKey(generatePrivateKey('ecdsa').toString('pkcs8'), 'pkcs8').toString('pem'))).toBe(priv)
  expect(await refusalOf('PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none')).toBe(priv)
  // Fragments: the body without its head, and the end of a PuTTY file.
  expect(await refusalOf(generatePrivateKey('ed25519').toString('openssh').split('\n').slice(1, -2).join('\n'))).toBe(priv)
  expect(await refusalOf('Private-Lines: 1\nAAAA\nPrivate-MAC: 00')).toBe(priv)
  expect(await refusalOf(ed25519.slice(0, 60))).toBe(damaged)
  expect(await refusalOf(ed25519.replace('ssh-ed25519', 'ssh-rsa'))).toBe(damaged)
  expect(await refusalOf(`${ed25519.slice(0, 40)}\n${ed25519.slice(40)}`)).toBe(damaged)
  expect(await refusalOf(`${ed25519}\n${ed25519}`)).toBe('These are several keys. Paste one.')
  for (const options of ['from="10.0.0.1",no-pty', 'restrict', 'no-pty', 'command="ls"'])
    expect(await refusalOf(`${options} ${ed25519}`)).toBe(
      'Options before a key, such as from=, are not kept here. Paste the key without them.',
    )
  expect(await refusalOf(rsaOf(1024))).toBe('An RSA key has at least 2048 bits; this one has 1024.')
  expect(await refusalOf('ssh-dss AAAAB3NzaC1kc3MAAACBAA== ada')).toBe('DSA keys are not safe any more. Use an Ed25519 key.')
  expect(await refusalOf('ssh-ed25519-cert-v01@openssh.com AAAA ada')).toBe('This is a certificate. Paste the public key itself.')
  expect(await refusalOf('---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----')).toBe(
    'Paste the key as OpenSSH writes it, in one line: ssh-ed25519 AAAA…',
  )
  expect(await refusalOf('-----BEGIN PGP PUBLIC KEY BLOCK-----')).toBe('This is an OpenPGP key. Paste an SSH public key.')
  expect(await refusalOf('hello')).toBe('This is no SSH public key: it begins with its type, such as ssh-ed25519.')
  const point = blobOf(generatePrivateKey('ecdsa', { curve: 'nistp256' }).toPublic().toString('ssh'))
  // A number that is not a point of the curve.
  point.fill(7, point.length - 64)
  expect(await refusalOf(`ecdsa-sha2-nistp256 ${point.toString('base64')}`)).toBe(damaged)
})

test('[SFT-005] a weak key is refused, since anybody could forge its signatures', async () => {
  const key = (type: string, ...parts: Buffer[]) =>
    `${type} ${Buffer.concat([part(type), ...parts.map(part)]).toString('base64')}`
  const [, exponent = Buffer.of(), modulus = Buffer.of()] = partsOf(blobOf(rsaOf(2048)))
  const even = Buffer.from(modulus)
  even[even.length - 1] = (even.at(-1) as number) & 0xfe
  const hex = (text: string) => Buffer.from(text, 'hex')
  // Of order 8, its negative, of order 2, and 0 and 1.
  const small = [
    hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'),
    hex(`ec${'ff'.repeat(30)}7f`),
    Buffer.alloc(32),
    hex(`01${'00'.repeat(31)}`),
  ]
  const keys = [
    ...[0, 1, 2, 4, 65_536].map((e) => key('ssh-rsa', hex(e.toString(16).padStart(6, '0')), modulus)),
    key('ssh-rsa', exponent, even),
    ...small.map((point) => key('ssh-ed25519', point)),
    ...small.map((point) => onSecurityKey(key('ssh-ed25519', point), 'sk-ssh-ed25519@openssh.com')),
  ]
  for (const one of keys)
    expect(refusedFields(await send('POST', '/sftp-users', withKey(one)))).toEqual({
      ssh_key: 'This key protects nothing: anybody could sign in with it. Make another one.',
    })
  const negative = key('ssh-rsa', exponent, modulus.subarray(1))
  expect(refusedFields(await send('POST', '/sftp-users', withKey(negative)))).toEqual({
    ssh_key: 'This key is damaged: copy all of its line.',
  })
  expect((await send('POST', '/sftp-users', withKey(key('ssh-rsa', Buffer.of(3), modulus)))).status).toBe(201)
})

test('[SFT-001] [SFT-002] the username is required, and has only letters, numbers and + - _', async () => {
  expect(refusedFields(await send('POST', '/sftp-users', withPassword({ username: ' ' })))).toEqual({
    username: 'This is a required field.',
  })
  for (const username of ['harbor files', 'harbor.files', 'häfen', 'a/b'])
    expect(refusedFields(await send('POST', '/sftp-users', withPassword({ username })))).toEqual({
      username: 'Only letters, numbers and + - _',
    })
  expect((await good('POST', '/sftp-users', withPassword({ username: `A+b-c_${companies}` }))).username).toBe(
    `A+b-c_${companies}`,
  )
  expect(refusedFields(await send('POST', '/sftp-users', withPassword({ username: `a+B-c_${companies}` })))).toEqual({
    username: 'This username is taken. Choose another one.',
  })
})

test('[SFT-003] [SFT-004] an authentication method, and its password or key, are required', async () => {
  const { authentication: _, ...without } = withPassword()
  expect(refusedFields(await send('POST', '/sftp-users', without))).toEqual({ authentication: 'This is a required field.' })
  expect(refusedFields(await send('POST', '/sftp-users', withPassword({ password: undefined })))).toEqual({
    password: 'This is a required field.',
  })
  expect(refusedFields(await send('POST', '/sftp-users', withKey(undefined)))).toEqual({ ssh_key: 'This is a required field.' })
  expect(refusedFields(await send('POST', '/sftp-users', withPassword({ password: 'short' })))).toEqual({
    password: 'The password needs at least 8 characters.',
  })
  expect((await good('GET', `/sftp-users?organization-id=${organizationId}`)).sftp_users).toEqual([])
})

test('[API-104] a key replaces a password, and a password a key', async () => {
  const made = await good('POST', '/sftp-users', withPassword())
  const keyed = await good('PATCH', `/sftp-users/${made.id}`, { authentication: 'SSH_KEY', ssh_key: ed25519, version: 1 })
  expect(keyed).toMatchObject({ authentication: 'SSH_KEY', version: 2 })
  expect(await hashOf(made.id)).toBeNull()
  const stale = await send('PATCH', `/sftp-users/${made.id}`, { authentication: 'PASSWORD', password, version: 1 })
  expect([stale.status, stale.body.facts]).toEqual([409, keyed])
  const back = await good('PATCH', `/sftp-users/${made.id}`, { authentication: 'PASSWORD', password, version: 2 })
  expect(back).toMatchObject({ authentication: 'PASSWORD', ssh_key: null, ssh_key_fingerprint: null, version: 3 })
  expect((await good('GET', `/sftp-users/${made.id}/history`)).events.map(({ status }: { status: string }) => status)).toEqual([
    'Authentication changed',
    'Authentication changed',
    'Created',
  ])
})

test('[API-105] one is deleted once, and its username can be used again', async () => {
  const made = await good('POST', '/sftp-users', withPassword())
  const both = await Promise.all([1, 2].map(() => send('DELETE', `/sftp-users/${made.id}?version=1`, {})))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await send('GET', `/sftp-users/${made.id}`)).status).toBe(404)
  await good('POST', '/sftp-users', withPassword())
})

test('reading needs employers or organizations, changing write:integrations, a whole grant', async () => {
  const made = await good('POST', '/sftp-users', withPassword())
  expect((await send('GET', '/sftp-users', undefined, await personWith(server, [1, 2]))).status).toBe(403)
  const reader = await personWith(server, [3])
  await good('GET', `/sftp-users/${made.id}`, undefined, reader)
  expect((await send('POST', '/sftp-users', withPassword({ username: 'x' }), reader)).status).toBe(403)
  expect((await send('DELETE', `/sftp-users/${made.id}?version=1`, {}, reader)).status).toBe(403)
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4, 1020], grants: [{ employerId }] })
  const manager = { headers: await signInAs(server, person) }
  expect((await good('GET', '/sftp-users', undefined, manager)).sftp_users).toEqual([])
  for (const [method, path, body] of [
    ['GET', `/sftp-users/${made.id}`, undefined],
    ['GET', `/sftp-users/${made.id}/history`, undefined],
    ['POST', '/sftp-users', withPassword({ username: 'x' })],
    ['PATCH', `/sftp-users/${made.id}`, { authentication: 'PASSWORD', password, version: 1 }],
    ['DELETE', `/sftp-users/${made.id}?version=1`, {}],
  ] as const)
    expect([method, path, (await send(method, path, body, manager)).status]).toEqual([method, path, 404])
})
