import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import ssh2, { type Client as SshClient, type ClientChannel, type SFTPWrapper } from 'ssh2'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { largestFile } from '#domain/import.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { newKeyPair } from '#server/auth/host-key.ts'
import { signIn } from '#server/sftp/sign-in.ts'
import { listenForSftp, type SftpListener } from '#server/sftp/listen.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

// A client of the same library; OpenSSH was tested by hand.
let server: TestServer
let admin: SignedIn
let listener: SftpListener
let organizationId: number
let employerId: number
let companies = 0
let opened: SshClient[] = []
const failures: unknown[] = []

const { good } = asking(
  () => server,
  () => admin,
)

const listen = () => listenForSftp(server.services, { port: 0, host: '127.0.0.1', report: (error) => failures.push(error) })

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 2, 3, 4, 8, 1001, 1002, 1003, 1020], 'Ada Admin')
  listener = await listen()
})
afterAll(async () => {
  await listener.close()
  await server.close()
})
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`)
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    values (${organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
})
afterEach(() => {
  for (const client of opened) client.end()
  opened = []
  expect(failures).toEqual([])
})

const password = 'Right-Pass-1'
const userWith = (more: Record<string, unknown> = { authentication: 'PASSWORD', password }) =>
  good('POST', '/sftp-users', { organization_id: organizationId, username: `harbor-${companies}`, ...more })

type Proof = { password: string } | { privateKey: string }
async function connected(username: string, proof: Proof, localAddress?: string): Promise<SshClient> {
  const client = new ssh2.Client()
  opened.push(client)
  return new Promise((resolve, reject) => {
    client
      .once('ready', () => resolve(client))
      .on('error', reject)
      .connect({ host: '127.0.0.1', port: listener.port, username, ...(localAddress ? { localAddress } : {}), ...proof })
  })
}
/** Promisifies a callback method of the client. */
const promisified = <T>(begin: (done: (error: Error | null | undefined, value?: T) => void) => unknown): Promise<T> =>
  new Promise((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value as T))))
const filesOf = async (username: string, proof: Proof = { password }): Promise<SFTPWrapper> => {
  const client = await connected(username, proof)
  return promisified<SFTPWrapper>((done) => client.sftp(done))
}
const put = (apiClient: SFTPWrapper, path: string, text: string) =>
  promisified<void>((done) => apiClient.writeFile(path, text, done as never))
const get = async (apiClient: SFTPWrapper, path: string): Promise<string> =>
  String(await promisified<Buffer>((done) => apiClient.readFile(path, done as never)))
const list = async (apiClient: SFTPWrapper, path: string): Promise<string[]> =>
  (await promisified<{ filename: string }[]>((done) => apiClient.readdir(path, done as never))).map((entry) => entry.filename)

const sshPart = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes)])
}
/** A FIDO security key in software: its public key, and signatures as OpenSSH sends them after the name of the algorithm. */
function securityKey(type: string) {
  const isEd25519 = type.includes('ed25519')
  const pair = isEd25519 ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
  const [left, right] = [x, y].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
  const parts = isEd25519 ? [left] : ['nistp256', Buffer.concat([Buffer.of(4), left, right])]
  const publicKey = Buffer.concat([type, ...parts, 'ssh:'].map(sshPart))
  const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
  return {
    publicKey,
    sign: (blob: Buffer, flags: number): Buffer => {
      const trailer = Buffer.from([flags, 0, 0, 0, 7])
      const signed = Buffer.concat([hash('ssh:'), trailer, hash(blob)])
      if (isEd25519) return Buffer.concat([sign(null, signed, pair.privateKey), trailer])
      const both = sign('sha256', signed, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
      // SSH writes numbers without leading zeros, but with one where the first bit is set.
      const number = (bytes: Buffer) => {
        const bare = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
        return sshPart((bare[0] as number) >= 0x80 ? Buffer.concat([Buffer.of(0), bare]) : bare)
      }
      return Buffer.concat([number(both.subarray(0, 32)), number(both.subarray(32)), trailer])
    },
  }
}

const mapped = () =>
  good('POST', '/mappings/employees', {
    employer_id: employerId,
    file_name: 'staff_ee.csv',
    columns: [
      { header: 'Code', field: 'employee_code' },
      { header: 'Name', field: 'full_name' },
      { header: 'Status', field: 'status' },
    ],
  })
const imports = async () => (await good('GET', `/imports?organization-id=${organizationId}&sort=id&sort-order=asc`)).imports
const file = 'Code,Name,Status\nS1,Ann Lee,Active\n'

test('a file that an SFTP user uploads with a password is imported for the organization', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  await put(apiClient, 'staff_20260105_ee.csv', file)
  await importFiles(server.services, () => false)
  expect(await imports()).toMatchObject([
    { status: 'SUCCESS', source: 'SFTP', received_by: username, created: 1, employer_id: employerId, size: file.length },
  ])
  // Clients check that all of it arrived.
  expect(await promisified<{ size: number }>((done) => apiClient.stat('/staff_20260105_ee.csv', done as never))).toMatchObject({
    size: file.length,
  })
  expect(await list(apiClient, '/')).toEqual(['out', 'staff_20260105_ee.csv'])
})

test('long listings are sent in chunks of some hundred names, which clients can parse', async () => {
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  const names = Array.from({ length: 250 }, (_, at) => `put_${1000 + at}_ee.csv`)
  const left = [...names]
  const putNext = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await put(apiClient, name, file)
  }
  await Promise.all(Array.from({ length: 16 }, putNext))
  const folder = await promisified<Buffer>((done) => apiClient.opendir('/', done as never))
  const first = await promisified<unknown[]>((done) => apiClient.readdir(folder, done as never))
  expect(first).toHaveLength(200)
  expect((await list(apiClient, '/')).sort()).toEqual(['out', ...names])
})

test.each(['ed25519', 'rsa', 'ecdsa'] as const)(
  'an SFTP user signs in with a key of type %s, and with no other',
  async (type) => {
    const bits = { ed25519: undefined, rsa: 2048, ecdsa: 256 }[type]
    const make = () =>
      type === 'ed25519' ? newKeyPair() : ssh2.utils.generateKeyPairSync(type as 'rsa', { bits: bits as number })
    const [pair, other] = [make(), make()]
    const { username } = await userWith({ authentication: 'SSH_KEY', ssh_key: pair.public })
    expect(await list(await filesOf(username, { privateKey: pair.private }), '/')).toEqual(['out'])
    await expect(connected(username, { privateKey: other.private })).rejects.toThrow('authentication methods failed')
    await expect(connected(username, { password })).rejects.toThrow('authentication methods failed')
  },
)

test('a wrong password and an unknown user are refused, and guesses are delayed', async () => {
  const { username } = await userWith()
  await expect(connected(username, { password: 'Wrong-Pass-1' })).rejects.toThrow('authentication methods failed')
  await expect(connected('nobody', { password })).rejects.toThrow('authentication methods failed')
  for (let guess = 0; guess < 6; guess += 1) await connected(username, { password: `Wrong-Pass-${guess}` }).catch(() => undefined)
  // The right one has to wait now, too.
  await expect(connected(username, { password })).rejects.toThrow('authentication methods failed')
})

test('a shell and a command, as of scp -O, end with a sentence on stderr and status 1', async () => {
  const { username } = await userWith()
  const client = await connected(username, { password })
  const outcomeOf = (begin: (done: (error: Error | undefined, channel: ClientChannel) => void) => unknown) =>
    new Promise<[number, string]>((resolve, reject) =>
      // Listens at once, since the status may come with the answer.
      begin((error, channel) => {
        if (error) return reject(error)
        let said = ''
        let status = -1
        channel.stderr.on('data', (text: Buffer) => {
          said += text.toString()
        })
        channel.on('exit', (code: number) => {
          status = code
        })
        channel.on('close', () => resolve([status, said]))
        channel.resume()
      }),
    )
  const sentence =
    'This server transfers files by SFTP only. Connect with sftp, WinSCP or FileZilla (protocol SFTP), or with scp without -O.\r\n'
  expect(await outcomeOf((done) => client.shell(done as never))).toEqual([1, sentence])
  expect(await outcomeOf((done) => client.exec('scp -t .', done as never))).toEqual([1, sentence])
  // The connection can still be used for files.
  expect(await list(await promisified<SFTPWrapper>((done) => client.sftp(done)), '/')).toEqual(['out'])
  // Closed channels have released their slots.
  for (let at = 0; at < 12; at += 1) expect((await outcomeOf((done) => client.exec('id', done as never)))[0]).toBe(1)
})

test.each([
  { compress: ['zlib@openssh.com', 'zlib'] },
  { hmac: ['hmac-sha1', 'hmac-sha1-etm@openssh.com'], cipher: ['aes128-ctr'] },
] as const)('a client with nothing but compression or SHA-1 gets no connection: %j', async (algorithms) => {
  await userWith()
  const tried = (using: object) =>
    new Promise((resolve) => {
      const client = new ssh2.Client()
      opened.push(client)
      client.once('ready', () => resolve('ready')).on('error', ({ message }) => resolve(message))
      client.connect({ host: '127.0.0.1', port: listener.port, username: `harbor-${companies}`, password, algorithms: using })
    })
  expect(await tried(algorithms)).toMatch(/^Handshake failed: no matching/)
  expect(await tried({ compress: ['zlib', 'none'], hmac: ['hmac-sha1', 'hmac-sha2-256'], cipher: ['aes128-ctr'] })).toBe('ready')
})

test('clients without Ed25519 verify the server by an RSA key', async () => {
  const { username } = await userWith()
  const client = new ssh2.Client()
  opened.push(client)
  await new Promise<void>((resolve, reject) => {
    client
      .once('ready', () => resolve())
      .on('error', reject)
      .connect({
        host: '127.0.0.1',
        port: listener.port,
        username,
        password,
        algorithms: { serverHostKey: ['rsa-sha2-512'] },
      })
  })
})

test.each(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'])(
  'a security key of the type %s signs in, but only with a touch',
  async (type) => {
    const { publicKey, sign } = securityKey(type)
    const { username } = await userWith({ authentication: 'SSH_KEY', ssh_key: `${type} ${publicKey.toString('base64')}` })
    const blob = Buffer.from('what the session asks to be signed')
    const signedIn = async (signature?: Buffer, signed = blob) => {
      const key = { algo: type, data: publicKey }
      const context = { method: 'publickey', username, key, ...(signature ? { signature, blob: signed } : {}) }
      const caller = { address: '127.0.0.1', device: null, gone: new AbortController().signal }
      return (await signIn(server.services, context as never, caller))?.username ?? null
    }
    expect(await signedIn()).toBe(username)
    expect(await signedIn(sign(blob, 0x01))).toBe(username)
    expect(await signedIn(sign(blob, 0x00))).toBeNull()
    expect(await signedIn(sign(blob, 0x01), Buffer.from('another session'))).toBeNull()
    expect(await signedIn(Buffer.alloc(3))).toBeNull()
    expect(await signedIn(securityKey(type).sign(blob, 0x01))).toBeNull()
  },
)

test('nothing outside of the folder is reachable, and only importable files can be written', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  expect(await promisified<string>((done) => apiClient.realpath('../../etc', done as never))).toBe('/etc')
  for (const path of ['/etc/passwd', '../../etc/passwd', 'out/../../../etc/passwd'])
    await expect(get(apiClient, path)).rejects.toThrow('There is no such file.')
  await expect(put(apiClient, 'staff.csv', file)).rejects.toThrow(
    'File names must end with _ee for employees or _tk for timekeeping',
  )
  await expect(put(apiClient, 'out/staff_ee.csv', file)).rejects.toThrow('Files are put into the first folder.')
  await expect(promisified((done) => apiClient.mkdir('new', done as never))).rejects.toThrow()
  await expect(list(apiClient, '/home')).rejects.toThrow('There is no such file.')
  expect(await imports()).toEqual([])
})

test('a temporary name is imported once it is renamed, an interrupted upload never', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  await put(apiClient, 'staff_ee.csv.filepart', file)
  expect(await imports()).toEqual([])
  await promisified((done) => apiClient.rename('staff_ee.csv.filepart', 'staff_ee.csv', done as never))
  expect(await imports()).toMatchObject([{ file_name: 'staff_ee.csv', status: 'PENDING' }])
  const handle = await promisified<Buffer>((done) => apiClient.open('staff_2_ee.csv', 'w', done as never))
  await promisified((done) => apiClient.write(handle, Buffer.from(file), 0, file.length, 0, done as never))
  for (const client of opened) client.end()
  // Closes once every connection has ended and its incomplete files are discarded.
  await listener.close()
  expect(await imports()).toHaveLength(1)
  listener = await listen()
})

test('temporary names of various programs are imported once they are renamed', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  const rename = (from: string, to: string) => promisified<void>((done) => apiClient.rename(from, to, done as never))
  const names = [
    '.in.staff_ee.csv',
    '.staff_ee.csv.Xa12bc',
    'staff_ee.csv.filepart',
    'staff_ee.csv.part',
    'staff_ee.csv.upload',
    'staff_ee.csv.writing',
    'staff_ee.csv.TMP',
    'staff_ee.csv.crdownload',
    'staff_ee.csv~',
    'staff_ee.xlsx.partial.part',
    'staff_ee.csv.0f3a',
  ]
  for (const name of names) {
    await put(apiClient, name, 'Code\n')
    expect((await good('GET', `/imports/count?organization-id=${organizationId}`)).count, name).toBe(0)
    await promisified<void>((done) => apiClient.unlink(name, done as never))
  }
  await put(apiClient, '.in.staff_ee.csv', 'Code,Name,Status\nA1,Ann Lee,Active\n')
  // Renamed from one temporary name to another it stays unfinished.
  await rename('.in.staff_ee.csv', 'staff_ee.csv.part')
  expect((await good('GET', `/imports/count?organization-id=${organizationId}`)).count).toBe(0)
  await rename('staff_ee.csv.part', 'staff_ee.csv')
  expect(await good('GET', `/imports?organization-id=${organizationId}`)).toMatchObject({
    imports: [{ file_name: 'staff_ee.csv', status: 'PENDING' }],
  })
})

test('files of operating systems and office programs are discarded silently', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  for (const name of ['~$staff_ee.xlsx', '._staff_ee.csv', '.DS_Store', 'Thumbs.db', 'desktop.ini', '.~lock.staff_ee.csv#']) {
    await put(apiClient, name, 'x')
    expect((await promisified<{ size: number }>((done) => apiClient.stat(name, done as never))).size, name).toBe(1)
    await promisified<void>((done) => apiClient.unlink(name, done as never))
  }
  expect((await good('GET', `/imports/count?organization-id=${organizationId}`)).count).toBe(0)
})

test('a file matches case-insensitively, and the name of a copy is refused as such', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  for (const name of [
    'staff_ee (1).csv',
    'staff_ee - Copy.csv',
    'Copy of staff_ee.csv',
    'STAFF_EE(2).CSV',
    'staff_ee copy.csv',
    'staff_ee 2.csv',
  ])
    await expect(put(apiClient, name, 'Code\n'), name).rejects.toThrow(`“${name}” is the name of a copy.`)
  await expect(put(apiClient, 'staff_ee (1).csv', 'x')).rejects.toThrow(
    '“staff_ee (1).csv” is the name of a copy. Check that it is the newest version, and send it as staff_ee.csv.',
  )
  await put(apiClient, 'STAFF_20261129_EE.CSV', 'Code,Name,Status\nA1,Ann Lee,Active\n')
  expect(await good('GET', `/imports?organization-id=${organizationId}`)).toMatchObject({
    imports: [{ file_name: 'STAFF_20261129_EE.CSV', status: 'PENDING', employer_id: employerId }],
  })
})

test('a user deleted or given another password during an upload can write no more', async () => {
  await mapped()
  const user = await userWith()
  const apiClient = await filesOf(user.username)
  await good('PATCH', `/sftp-users/${user.id}`, { authentication: 'PASSWORD', password: 'Other-Pass-2', version: user.version })
  await expect(put(apiClient, 'staff_ee.csv', file)).rejects.toThrow('You may not put files here any more.')
  await expect(list(apiClient, '/out')).rejects.toThrow('You may not fetch files any more.')
  expect(await imports()).toEqual([])
})

test('delivered EWA files are fetched from out, by their organization only, and it is recorded', async () => {
  const deliver = async (employer: number) => {
    const invoice = await createInvoice(server.db, { employerId: employer, status: 'ON_DEDUCTION_FILE', original: 120_00 })
    const id = Number(
      (
        await sql<{ id: number }>`update deductions set status = 'DELIVERED', file_name = ${`ewa-${invoice.id}.csv`},
          delivered_at = clock_timestamp() where invoice_id = ${invoice.id} returning id`.execute(server.db)
      ).rows[0]?.id,
    )
    return { id, name: `ewa-${invoice.id}.csv` }
  }
  const mine = await deliver(employerId)
  const elsewhere = await createCompany(server.db, `Ridge ${companies}`)
  const theirs = await deliver(elsewhere.employerIds[0] as number)
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  expect(await list(apiClient, '/out')).toEqual([mine.name])
  // The file is generated on reading: no size is sent, since 0 would mean an empty file.
  const [listed] = await promisified<{ longname: string; attrs: { size?: number } }[]>((done) =>
    apiClient.readdir('/out', done as never),
  )
  expect([listed?.attrs.size, listed?.longname.split(' ').slice(0, 5)]).toEqual([undefined, ['-rw-------', '1', '0', '0', '?']])
  expect(await good('GET', `/deductions/${mine.id}`)).toMatchObject({ fetched_at: null })
  const text = await get(apiClient, `/out/${mine.name}`)
  expect(text).toContain('120.00')
  expect((await good('GET', `/deductions/${mine.id}`)).fetched_at).not.toBeNull()
  await expect(get(apiClient, `/out/${theirs.name}`)).rejects.toThrow('There is no such file.')
})

test('the host key stays the same across restarts', async () => {
  const again = await listenForSftp(server.services, { port: 0, host: '127.0.0.1', report: (error) => failures.push(error) })
  const seen = async (port: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const client = new ssh2.Client()
      opened.push(client)
      client.on('error', reject).connect({
        host: '127.0.0.1',
        port,
        username: 'x',
        password: 'x',
        hostVerifier: (key: Buffer) => {
          resolve(key.toString('base64'))
          return false
        },
      })
    })
  expect(await seen(again.port)).toBe(await seen(listener.port))
  await again.close()
})

/** Opens a connection that sends nothing, and never closes its side. */
const silent = async (port: number): Promise<{ socket: Socket; ended: () => boolean }> => {
  let ended = false
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket
    .on('data', () => undefined)
    .on('end', () => {
      ended = true
    })
    .on('close', () => {
      ended = true
    })
    .on('error', () => {
      ended = true
    })
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, ended: () => ended }
}

test('silent connections are limited, and do not prevent a shutdown', async () => {
  const own = await listenForSftp(server.services, { port: 0, host: '127.0.0.1', report: (error) => failures.push(error) })
  const all = await Promise.all(Array.from({ length: 30 }, () => silent(own.port)))
  await expect.poll(() => all.filter(({ ended }) => ended()).length).toBe(10)
  const [talker] = all.filter(({ ended }) => !ended())
  // This one has sent its version only.
  talker?.socket.write('SSH-2.0-slow\r\n')
  await own.close()
  await expect.poll(() => all.every(({ ended }) => ended())).toBe(true)
  for (const { socket } of all) socket.destroy()
})

test('connections per organization are limited; one more ends the longest silent one', async () => {
  const { private: privateKey, public: sshKey } = newKeyPair()
  const { username } = await userWith({ authentication: 'SSH_KEY', ssh_key: sshKey })
  const ended: number[] = []
  const sign = async (at: number) => {
    const client = await connected(username, { privateKey }, `127.0.8.${1 + Math.floor(at / 18)}`)
    client.on('close', () => ended.push(at))
    return client
  }
  const all: SshClient[] = []
  for (let at = 0; at < 40; at++) all.push(await sign(at))
  // The first one sends something, so that the second is silent for longest.
  const apiClient = await promisified<SFTPWrapper>((done) => all[0]?.sftp(done))
  await list(apiClient, '/')
  expect(ended).toEqual([])
  await sign(40)
  await expect.poll(() => ended).toEqual([1])
  expect(await list(apiClient, '/')).toEqual(expect.any(Array))
})

test('a password flood is refused at the network, and uses up no guesses of the account', async () => {
  const { username } = await userWith()
  const guessCount = async () =>
    (
      await sql<{
        n: number
      }>`select coalesce(max(cardinality(wrong_at)), 0)::int as n from guesses where scope = ${`sftp ${username}`}`.execute(
        server.db,
      )
    ).rows[0]?.n
  await sql`insert into guesses (scope, wrong_at, next_at, counted_at)
    values ('sftp 127.0.0.1', '{}', now() + interval '9 seconds', now())
    on conflict (scope) do update set next_at = excluded.next_at`.execute(server.owner)
  await connected(username, { password: 'Wrong-Pass-1' }).catch(() => undefined)
  await sql`delete from guesses where scope = 'sftp 127.0.0.1'`.execute(server.owner)
  expect(await guessCount()).toBe(0)
  // A name that nobody can have is not even stored.
  for (const name of ['a'.repeat(30_000), 'a\0b'])
    await expect(connected(name, { password })).rejects.toThrow('authentication methods failed')
  expect((await sql`select 1 from guesses where scope like 'sftp a%'`.execute(server.db)).rows).toEqual([])
})

test('a file is imported with all writes before its close, also for a pipelining client', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  const handle = await promisified<Buffer>((done) => apiClient.open('staff_ee.csv', 'w', done as never))
  const lines = Buffer.from(file + Array.from({ length: 5_000 }, (_, at) => `P${at},Ann Lee,Active\n`).join(''))
  const size = 4_096
  const sent = []
  for (let at = 0; at < lines.length; at += size)
    sent.push(promisified((done) => apiClient.write(handle, lines, at, Math.min(size, lines.length - at), at, done as never)))
  sent.push(promisified((done) => apiClient.close(handle, done as never)))
  await Promise.all(sent)
  expect(await imports()).toMatchObject([{ status: 'PENDING', size: lines.length }])
})

test('a file with a refused or missing part is not imported when it is closed', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  const begin = () => promisified<Buffer>((done) => apiClient.open('staff_ee.csv', 'w', done as never))
  const write = (handle: Buffer, at: number) =>
    promisified((done) => apiClient.write(handle, Buffer.from(file), 0, file.length, at, done as never))
  const close = (handle: Buffer) => promisified((done) => apiClient.close(handle, done as never))
  const tooLarge = await begin()
  await write(tooLarge, 0)
  await expect(write(tooLarge, largestFile)).rejects.toThrow('A file has at most 1 GB.')
  await expect(close(tooLarge)).rejects.toThrow('Not all of this file arrived.')
  const gap = await begin()
  await write(gap, 500_000_000)
  await expect(close(gap)).rejects.toThrow('Not all of this file arrived.')
  // The right number of bytes, but some of them twice.
  const twice = await begin()
  for (const part of [0, 0, 2]) await write(twice, part * file.length)
  await expect(close(twice)).rejects.toThrow('Not all of this file arrived.')
  const cut = await begin()
  await write(cut, 0)
  await promisified((done) => apiClient.fsetstat(cut, { size: 5 } as never, done as never))
  await expect(close(cut)).rejects.toThrow('Not all of this file arrived.')
  const resized = promisified((done) => apiClient.setstat('staff_ee.csv', { size: 0 } as never, done as never))
  await expect(resized).rejects.toThrow('The size of a file cannot be changed.')
  expect(await imports()).toEqual([])
  const backwards = await begin()
  await promisified((done) => apiClient.fsetstat(backwards, { size: 0 } as never, done as never))
  for (const part of [2, 1, 1, 0]) await write(backwards, part * file.length)
  await close(backwards)
  expect(await imports()).toMatchObject([{ status: 'PENDING', size: 3 * file.length }])
})

test('open files, folders and channels are limited, also under temporary names', async () => {
  await mapped()
  const { username } = await userWith()
  const client = (await connected(username, { password })).setNoDelay(true)
  const apiClient = await promisified<SFTPWrapper>((done) => client.sftp(done))
  for (let each = 0; each < 32; each += 1) await put(apiClient, `${each}_ee.csv.part`, file)
  await expect(put(apiClient, 'more_ee.csv.part', file)).rejects.toThrow('At most 32 files are open at once.')
  await promisified((done) => apiClient.unlink('0_ee.csv.part', done as never))
  // The same name again replaces the earlier one.
  for (let each = 0; each < 3; each += 1) {
    await put(apiClient, '1_ee.csv.part', file)
    await promisified((done) => apiClient.unlink('1_ee.csv.part', done as never))
  }
  const others = []
  for (let each = 0; each < 9; each += 1) others.push(await promisified<SFTPWrapper>((done) => client.sftp(done)))
  await expect(promisified((done) => client.sftp(done as never))).rejects.toThrow()
  others[0]?.end()
  await expect
    .poll(() =>
      promisified<SFTPWrapper>((done) => client.sftp(done))
        .then(() => true)
        .catch(() => false),
    )
    .toBe(true)
})

test('a file is renamed within its folder only, to an importable name, also at a second try', async () => {
  await mapped()
  const { username } = await userWith()
  const apiClient = await filesOf(username)
  await put(apiClient, 'staff.part', file)
  const rename = (to: string) => promisified((done) => apiClient.rename('staff.part', to, done as never))
  await expect(rename('/out/staff_ee.csv')).rejects.toThrow('Files are put into the first folder.')
  await expect(rename('staff.csv')).rejects.toThrow('File names must end with _ee')
  await rename('staff_ee.csv')
  expect(await imports()).toMatchObject([{ file_name: 'staff_ee.csv', status: 'PENDING' }])
})

/** The output to a client with this version string on both streams, until it closes, after opening a file to write. */
async function outputOf(ident: string, path: string): Promise<{ beside: string; answers: string }> {
  const client = new ssh2.Client()
  opened.push(client)
  await new Promise<void>((resolve, reject) => {
    client
      .once('ready', resolve)
      .on('error', reject)
      .connect({ host: '127.0.0.1', port: listener.port, username: `harbor-${companies}`, password, ident })
  })
  const channel = await promisified<ssh2.ClientChannel>((done) => client.subsys('sftp', done))
  const parts = { beside: '', answers: '' }
  channel.stderr.on('data', (text: Buffer) => {
    parts.beside += text
  })
  channel.on('data', (text: Buffer) => {
    parts.answers += text.toString('latin1')
  })
  const packet = (type: number, ...fields: Buffer[]) => {
    const body = Buffer.concat([Buffer.from([type]), ...fields])
    return Buffer.concat([number(body.length), body])
  }
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const [initialise, open, write] = [1, 3, 0x1a]
  channel.write(packet(initialise, number(3)))
  channel.write(packet(open, number(7), number(path.length), Buffer.from(path), number(write), number(0)))
  await expect.poll(() => parts.answers).toContain('File names')
  return parts
}

test('OpenSSH, which hides error messages, gets them on stderr; other clients get them once', async () => {
  await userWith()
  const { beside, answers } = await outputOf('OpenSSH_9.9', '/staff.csv')
  expect(beside).toBe(
    'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx. Other names need a confirmation file mapping.\r\n',
  )
  expect(answers).toContain('File names must end with _ee')
  const other = await outputOf('WinSCP_release_6.3', '/staff.csv')
  expect([other.beside, other.answers.includes('File names must end with _ee')]).toEqual(['', true])
})

test('a client that has sent everything gets the exit status 0, as scp expects', async () => {
  const { username } = await userWith()
  const client = await connected(username, { password })
  const channel = await promisified<ssh2.ClientChannel>((done) => client.subsys('sftp', done))
  const exit = new Promise((resolve) => channel.once('exit', resolve))
  channel.resume().end()
  expect(await exit).toBe(0)
})

test('[ENT-127] the text for the customer comes with host keys and the last sign-ins', async () => {
  const { id, username } = await userWith()
  await good('POST', '/mappings/employees', {
    employer_id: employerId,
    file_name: 'harbor_ee.csv',
    columns: ['employee_code', 'first_name', 'last_name', 'status'].map((field) => ({ header: field, field })),
  })
  const access = () => good('GET', `/sftp-users/${id}/access`)
  server.services.auth.sftpAddress = { host: 'files.example.com', port: 22 }
  expect(await access()).toMatchObject({
    address: { host: 'files.example.com', port: 22 },
    file_names: [{ file_name: 'harbor_ee.csv', kind: 'EMPLOYEE' }],
    last_sign_in: null,
    failed_attempts: null,
  })
  const [preferred, ...others] = (await access()).host_keys
  expect(preferred).toMatchObject({ type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/) })
  expect(others.length).toBeGreaterThan(0)
  // The host key of the connection has the fingerprint in the answer.
  const shown = await new Promise<string>((resolve, reject) => {
    const client = new ssh2.Client()
    opened.push(client)
    client.on('error', reject).connect({
      host: '127.0.0.1',
      port: listener.port,
      username,
      password,
      hostVerifier: (key: Buffer) => {
        resolve(`SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`)
        return true
      },
    })
  })
  expect(shown).toBe(preferred.fingerprint)
  await expect.poll(async () => (await access()).last_sign_in?.from).toBe('127.0.0.1')
  await expect(connected(username, { password: 'Wrong-Pass-1' })).rejects.toThrow()
  expect((await access()).failed_attempts).toMatchObject({ count: 1, reason: 'Wrong password' })
  await connected(username, { password })
  expect((await access()).failed_attempts).toBeNull()
})
