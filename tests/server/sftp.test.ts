import { sql } from 'kysely'
import ssh2, { type Client as SshClient, type SFTPWrapper } from 'ssh2'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { listenForSftp, type SftpListener } from '#server/sftp/listen.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

// A client of the same library; what OpenSSH does was tried by hand.
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

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 2, 3, 4, 8, 1001, 1002, 1003, 1020], 'Ada Admin')
  listener = await listenForSftp(server.services, { port: 0, host: '127.0.0.1', report: (error) => failures.push(error) })
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
async function connected(username: string, proof: Proof): Promise<SshClient> {
  const client = new ssh2.Client()
  opened.push(client)
  return new Promise((resolve, reject) => {
    client
      .once('ready', () => resolve(client))
      .on('error', reject)
      .connect({ host: '127.0.0.1', port: listener.port, username, ...proof })
  })
}
/** Calls a method of a client that answers by a callback. */
const asked = <T>(begin: (done: (error: Error | null | undefined, value?: T) => void) => unknown): Promise<T> =>
  new Promise((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value as T))))
const filesOf = async (username: string, proof: Proof = { password }): Promise<SFTPWrapper> => {
  const client = await connected(username, proof)
  return asked<SFTPWrapper>((done) => client.sftp(done))
}
const put = (wire: SFTPWrapper, path: string, text: string) => asked<void>((done) => wire.writeFile(path, text, done as never))
const get = async (wire: SFTPWrapper, path: string): Promise<string> =>
  String(await asked<Buffer>((done) => wire.readFile(path, done as never)))
const list = async (wire: SFTPWrapper, path: string): Promise<string[]> =>
  (await asked<{ filename: string }[]>((done) => wire.readdir(path, done as never))).map((entry) => entry.filename)

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

test('a file that an SFTP user puts with a password is imported for the organization', async () => {
  await mapped()
  const { username } = await userWith()
  const wire = await filesOf(username)
  await put(wire, 'staff_20260105_ee.csv', file)
  await importFiles(server.services, () => false)
  expect(await imports()).toMatchObject([
    { status: 'SUCCESS', source: 'SFTP', received_by: username, created: 1, employer_id: employerId, size: file.length },
  ])
  // Clients look whether all of it arrived.
  expect(await asked<{ size: number }>((done) => wire.stat('/staff_20260105_ee.csv', done as never))).toMatchObject({
    size: file.length,
  })
  expect(await list(wire, '/')).toEqual(['out', 'staff_20260105_ee.csv'])
})

test.each(['ed25519', 'rsa', 'ecdsa'] as const)('an SFTP user signs in by a key of type %s, and by no other', async (type) => {
  const bits = { ed25519: undefined, rsa: 2048, ecdsa: 256 }[type]
  const pair = ssh2.utils.generateKeyPairSync(type as 'rsa', { bits: bits as number })
  const other = ssh2.utils.generateKeyPairSync(type as 'rsa', { bits: bits as number })
  const { username } = await userWith({ authentication: 'SSH_KEY', ssh_key: pair.public })
  expect(await list(await filesOf(username, { privateKey: pair.private }), '/')).toEqual(['out'])
  await expect(connected(username, { privateKey: other.private })).rejects.toThrow('authentication methods failed')
  await expect(connected(username, { password })).rejects.toThrow('authentication methods failed')
})

test('a wrong password, an unknown user and a shell get nothing, and guesses are slowed down', async () => {
  const { username } = await userWith()
  await expect(connected(username, { password: 'Wrong-Pass-1' })).rejects.toThrow('authentication methods failed')
  await expect(connected('nobody', { password })).rejects.toThrow('authentication methods failed')
  const client = await connected(username, { password })
  await expect(asked((done) => client.shell(done as never))).rejects.toThrow()
  await expect(asked((done) => client.exec('id', done as never))).rejects.toThrow()
  for (let guess = 0; guess < 6; guess += 1) await connected(username, { password: `Wrong-Pass-${guess}` }).catch(() => undefined)
  // Also the right one has to wait now.
  await expect(connected(username, { password })).rejects.toThrow('authentication methods failed')
})

test('nothing leads out of the folder, and only files that can be imported are put into it', async () => {
  await mapped()
  const { username } = await userWith()
  const wire = await filesOf(username)
  expect(await asked<string>((done) => wire.realpath('../../etc', done as never))).toBe('/etc')
  for (const path of ['/etc/passwd', '../../etc/passwd', 'out/../../../etc/passwd'])
    await expect(get(wire, path)).rejects.toThrow('There is no such file.')
  await expect(put(wire, 'staff.csv', file)).rejects.toThrow('File names must end with _ee for employees or _tk for timekeeping')
  await expect(put(wire, 'out/staff_ee.csv', file)).rejects.toThrow('Files are put into the first folder.')
  await expect(asked((done) => wire.mkdir('new', done as never))).rejects.toThrow()
  await expect(list(wire, '/home')).rejects.toThrow('There is no such file.')
  expect(await imports()).toEqual([])
})

test('a file under another name is imported once it is renamed, one that breaks off never', async () => {
  await mapped()
  const { username } = await userWith()
  const wire = await filesOf(username)
  await put(wire, 'staff_ee.csv.filepart', file)
  expect(await imports()).toEqual([])
  await asked((done) => wire.rename('staff_ee.csv.filepart', 'staff_ee.csv', done as never))
  expect(await imports()).toMatchObject([{ file_name: 'staff_ee.csv', status: 'PENDING' }])
  const handle = await asked<Buffer>((done) => wire.open('staff_2_ee.csv', 'w', done as never))
  await asked((done) => wire.write(handle, Buffer.from(file), 0, file.length, 0, done as never))
  for (const client of opened) client.end()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await imports()).toHaveLength(1)
})

test('who was deleted or given another password in the middle puts nothing any more', async () => {
  await mapped()
  const user = await userWith()
  const wire = await filesOf(user.username)
  await good('PATCH', `/sftp-users/${user.id}`, { authentication: 'PASSWORD', password: 'Other-Pass-2', version: user.version })
  await expect(put(wire, 'staff_ee.csv', file)).rejects.toThrow('You may not put files here any more.')
  await expect(list(wire, '/out')).rejects.toThrow('You may not fetch files any more.')
  expect(await imports()).toEqual([])
})

test('EWA files that were delivered are fetched from out, of one’s own organization only, and it is noted when', async () => {
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
  const wire = await filesOf(username)
  expect(await list(wire, '/out')).toEqual([mine.name])
  expect(await good('GET', `/deductions/${mine.id}`)).toMatchObject({ fetched_at: null })
  const text = await get(wire, `/out/${mine.name}`)
  expect(text).toContain('120.00')
  expect((await good('GET', `/deductions/${mine.id}`)).fetched_at).not.toBeNull()
  await expect(get(wire, `/out/${theirs.name}`)).rejects.toThrow('There is no such file.')
})

test('the key of the host stays the same over starts', async () => {
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
