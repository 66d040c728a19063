import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetOld } from '#server/auth/housekeeping.ts'
import { newKeyPair } from '#server/auth/host-key.ts'
import { listenForSftp, type SftpListener } from '#server/sftp/listen.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
let listener: SftpListener
let user: { id: number; username: string }
let companies = 0
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
  expect(failures).toEqual([])
})
beforeEach(async () => {
  const { organizationId } = await createCompany(server.db, `Quay ${++companies}`)
  user = await good('POST', '/sftp-users', {
    organization_id: organizationId,
    username: `quay-${companies}`,
    authentication: 'PASSWORD',
    password,
  })
  await server.db.deleteFrom('guesses').execute()
})

const password = 'Right-Pass-1'
const [customer, stranger, another] = ['127.0.0.1', '127.0.0.4', '127.0.0.5']
/** Whether a sign-in from an address of this machine succeeds. */
const signsIn = (localAddress: string, typed = password): Promise<boolean> =>
  new Promise((resolve) => {
    const client = new ssh2.Client()
    const end = (isIn: boolean) => {
      client.end()
      resolve(isIn)
    }
    client
      .once('ready', () => end(true))
      .on('error', () => end(false))
      .connect({ host: '127.0.0.1', port: listener.port, username: user.username, password: typed, localAddress })
  })
/** Records N wrong passwords, a minute apart, the last one a minute ago. */
const addGuesses = (scope: string, count: number) =>
  sql`insert into guesses (scope, wrong_at, next_at, counted_at)
    select ${scope}, array_agg(now() - minute * interval '1 minute' order by minute), now() - interval '1 second', now()
    from generate_series(1, ${count}) minute
    on conflict (scope) do update set wrong_at = excluded.wrong_at, next_at = excluded.next_at`.execute(server.owner)
const atAccount = () => `sftp ${user.username}`
const atNetwork = (address: string) => `sftp ${user.id} ${address}`
const known = async () =>
  (
    await server.db
      .selectFrom('sftp_networks')
      .select('network')
      .where('sftp_user_id', '=', user.id)
      .orderBy('last_seen_at', 'desc')
      .execute()
  ).map(({ network }) => network)
const history = async () => (await good('GET', `/sftp-users/${user.id}/history`)).events

test('known networks still sign in while strangers guess, also after the limit and a restart', async () => {
  expect(await signsIn(customer)).toBe(true)
  for (let time = 0; time < 8; time += 1) expect(await signsIn(stranger, `Wrong-Pass-${time}`)).toBe(false)
  // Anybody from elsewhere has to wait with the stranger.
  expect(await signsIn(another)).toBe(false)
  for (let time = 0; time < 6; time += 1) expect(await signsIn(customer)).toBe(true)

  await server.db.deleteFrom('guesses').execute()
  await addGuesses(atAccount(), 100)
  expect(await signsIn(another)).toBe(false)
  await listener.close()
  listener = await listen()
  expect(await signsIn(customer)).toBe(true)
})

test('a network known by a key stays known once the user has a password', async () => {
  const pair = newKeyPair()
  const { version } = await good('PATCH', `/sftp-users/${user.id}`, {
    authentication: 'SSH_KEY',
    ssh_key: pair.public,
    version: 1,
  })
  const client = new ssh2.Client()
  await new Promise<void>((resolve, reject) =>
    client
      .once('ready', () => resolve())
      .on('error', reject)
      .connect({ host: '127.0.0.1', port: listener.port, username: user.username, privateKey: pair.private }),
  )
  client.end()
  expect(await known()).toEqual([customer])
  await good('PATCH', `/sftp-users/${user.id}`, { authentication: 'PASSWORD', password, version })
  await addGuesses(atAccount(), 100)
  expect(await signsIn(customer)).toBe(true)
})

test('a known network has twenty tries a day with growing delays, and is then a stranger', async () => {
  expect(await signsIn(customer)).toBe(true)
  for (let time = 0; time < 8; time += 1) expect(await signsIn(customer, `Wrong-Pass-${time}`)).toBe(false)
  expect(await signsIn(customer)).toBe(false)

  await server.db.deleteFrom('guesses').execute()
  await addGuesses(atNetwork(customer), 20)
  expect(await signsIn(customer)).toBe(true)
  await addGuesses(atAccount(), 100)
  expect(await signsIn(customer)).toBe(false)
})

test('only successful sign-ins make a network known: the last twenty per user, for 180 days', async () => {
  expect(await signsIn(customer, 'Wrong-Pass-1')).toBe(false)
  expect(await known()).toEqual([])
  await sql`insert into sftp_networks (sftp_user_id, network, last_seen_at)
    select ${user.id}, '10.0.0.' || day, now() - day * interval '1 day' from generate_series(1, 25) day`.execute(server.owner)
  expect(await signsIn(customer)).toBe(true)
  expect(await known()).toEqual([customer, ...Array.from({ length: 19 }, (_, index) => `10.0.0.${index + 1}`)])

  await sql`update sftp_networks set last_seen_at = now() - interval '181 days' where network = ${customer}`.execute(server.owner)
  await addGuesses(atAccount(), 100)
  expect(await signsIn(customer)).toBe(false)
  await forgetOld(server.db, new Date())
  expect(await known()).not.toContain(customer)
  await good('DELETE', `/sftp-users/${user.id}?version=1`)
  expect(await known()).toEqual([])
})

test('the history of the user reports guessing once a day, with the network', async () => {
  await addGuesses(atAccount(), 18)
  expect(await signsIn(stranger, 'Wrong-Pass-1')).toBe(false)
  expect(await history()).toHaveLength(1)
  const free = () => sql`update guesses set next_at = now() where scope = ${atAccount()}`.execute(server.owner)
  await free()
  expect(await signsIn(stranger, 'Wrong-Pass-2')).toBe(false)
  await free()
  expect(await signsIn(another, 'Wrong-Pass-3')).toBe(false)
  expect(await history()).toMatchObject([
    {
      actor: { name: 'System' },
      status: 'Many wrong passwords',
      text: '20 wrong passwords were tried for this user within a day. They do not keep it out where it signed in before.',
      changes: [{ field: 'address', before: null, after: stranger }],
    },
    { status: 'Created' },
  ])
})

test('strangers who hold all connections silently lock out no customer', async () => {
  const flood = { over: false, sockets: new Set<Socket>() }
  const hold = (localAddress: string): void => {
    if (flood.over) return
    const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress })
    flood.sockets.add(socket)
    socket.on('connect', () => socket.write('SSH-2.0-quiet\r\n'))
    socket.on('error', () => undefined)
    // Ended connections are opened again.
    socket.on('close', () => flood.sockets.delete(socket) && setTimeout(hold, 20, localAddress))
  }
  for (let at = 0; at < 220; at++) hold(`127.0.7.${1 + (at % 11)}`)
  await expect.poll(() => [...flood.sockets].filter(({ readyState }) => readyState === 'open').length).toBeGreaterThanOrEqual(190)
  for (let at = 0; at < 10; at++) expect(await signsIn(customer)).toBe(true)
  flood.over = true
  for (const socket of flood.sockets) socket.destroy()
})
