import { afterAll, describe, expect, test } from 'vitest'
import { settingsFrom } from '#server/boot/settings.ts'
import { createPerson } from '#tests/support/people.ts'
import { type TestServer, createServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const proxies = (TRUST_PROXY?: string) => settingsFrom({ TRUST_PROXY }).trustProxy

const servers = new Map<string | undefined, TestServer>()
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())))

/** The address recorded for a session when the call had these forwarded addresses. */
async function recordedAddress(setting: string | undefined, forwarded: string): Promise<string> {
  const server = servers.get(setting) ?? (await createServer({ app: { trustProxy: proxies(setting) } }))
  servers.set(setting, server)
  const person = await createPerson(server.db)
  await signInAs(server, person, { 'x-forwarded-for': forwarded })
  const { address } = await server.db
    .selectFrom('sessions')
    .select('address')
    .where('person_id', '=', person.id)
    .executeTakeFirstOrThrow()
  return address
}

describe('the address of a caller', () => {
  test.each([
    ['without a proxy, the connection', undefined, '203.0.113.9', '127.0.0.1'],
    ['behind one proxy, what it added, whatever the caller claimed before', '1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['behind two, what the outer one added', '2', '198.51.100.1, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
    [
      'behind named ones, what is first left of them',
      'loopback,10.0.0.0/8',
      '198.51.100.1, 203.0.113.9, 10.0.0.1',
      '203.0.113.9',
    ],
    ['behind one that is not among them, the connection', '192.0.2.1', '203.0.113.9', '127.0.0.1'],
  ])('%s', async (_, setting, forwarded, address) => {
    expect(await recordedAddress(setting, forwarded)).toBe(address)
  })
})

test.each(['true', '-1', '10', '1.5', '0x1', '1,2', 'proxy.example.com', '10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/8/8'])(
  'TRUST_PROXY is not %j',
  (setting) => {
    expect(() => proxies(setting)).toThrow(/^The setting TRUST_PROXY cannot be .*: say how many proxies stand in front/)
  },
)

test('TRUST_PROXY takes a number, addresses and networks', () => {
  expect([proxies(), proxies('0'), proxies('false'), proxies('2')]).toEqual([false, false, false, 2])
  expect(proxies('127.0.0.1, 10.0.0.0/8,fd00::/8')).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
})
