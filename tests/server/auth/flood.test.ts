import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { stopCluster } from '#server/postgres/cluster.ts'
import { type ServerProcess, databaseIn, startProcess } from '#tests/support/process.ts'
import { applicationHeaders, type Headers } from '#tests/support/sign-in.ts'

/** Concurrent calls; FLOOD_LANES=150 for a full run. */
const lanes = Number(process.env.FLOOD_LANES ?? 20)
/**
 * Maximum number of passwords of the flood that are hashed while somebody signs in. In a single queue it would be all lanes.
 * Counted, since a busy machine delays both.
 */
const maxOvertaking = lanes / 2

let folder: string
let server: ServerProcess
let origin: string
let headers: Headers
let db: Awaited<ReturnType<typeof databaseIn>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-portal-flood-'))
  server = startProcess({ DATA_DIR: folder, TRUST_PROXY: '1' })
  origin = await server.ready
  headers = await applicationHeaders({ origin })
  db = await databaseIn(folder)
})
afterAll(async () => {
  await db?.destroy()
  server?.child.kill('SIGTERM')
  await server?.ended
  await stopCluster(join(folder, 'postgres')).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  body: Record<string, string>
}

/** A call from an address over its own kind of connection. */
const post = (agent: Agent, path: string, address: string, device: string | null, body: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const call = request(
      `${origin}/api${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-forwarded-for': address,
          ...(device ? { 'device-id': device } : {}),
        },
      },
      (reply) => {
        let answer = ''
        reply.on('data', (chunk) => {
          answer += chunk
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: answer === '' ? {} : JSON.parse(answer) }))
      },
    )
    call.on('error', reject)
    call.end(text)
  })

const own = new Agent({ keepAlive: true })

/** Signs in with password and code; returns the cookie of the browser. */
async function signIn(email: string, address: string, device: string | null): Promise<string> {
  await db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
  const secret = demoPeople.find((person) => person.email === email)?.totpSecret as string
  const challenge = await post(own, '/auth', address, device, { email, password: demoPassword })
  expect(challenge).toMatchObject({ status: 200, body: { challenge: 'SOFTWARE_TOKEN_MFA' } })
  const reply = await post(own, `/${challenge.body['user_id']}/mfa`, address, device, {
    step: 'SOFTWARE_TOKEN_MFA',
    session: challenge.body['session'],
    code: codeOfStep(secret, stepAt(new Date())),
  })
  expect(reply).toMatchObject({ status: 200 })
  return reply.body['device'] as string
}

/** Repeats calls from one address as fast as they are answered until `meanwhile` ends; counts the answers by status. */
async function flooded(
  body: (turn: number) => unknown,
  meanwhile: (answers: ReadonlyMap<number, number>) => Promise<void>,
): Promise<void> {
  const answers = new Map<number, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  let over = false
  let turn = 0
  const lane = async () => {
    while (!over) {
      const { status } = await post(agent, '/auth', '203.0.113.7', null, body(turn++))
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  const running = Array.from({ length: lanes }, lane)
  try {
    await expect.poll(() => [...answers.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(lanes)
    await meanwhile(answers)
  } finally {
    over = true
    await Promise.all(running)
    agent.destroy()
  }
}

/** The calls whose password was hashed. */
const hashed = (answers: ReadonlyMap<number, number>): number => (answers.get(200) ?? 0) + (answers.get(401) ?? 0)

const [flooder, someone] = ['tom.berg@example.com', 'priya.raman@example.com']

test.each([
  ['wrong passwords of many e-mails', (turn: number) => ({ email: `flood-${turn}@example.com`, password: 'Wrong-Pass-1' })],
  ['wrong passwords of that very person', () => ({ email: someone, password: 'Wrong-Pass-1' })],
  ['right passwords of one account', () => ({ email: flooder, password: demoPassword })],
])('in a flood of %s from one address, other networks and known devices do not wait for it', async (_, body) => {
  await db.deleteFrom('guesses').execute()
  await db.deleteFrom('attempt_limits').execute()
  let known = await signIn(someone, '203.0.113.7', null)
  await flooded(body, async (answers) => {
    const overtaking: number[] = []
    const counted = async <T>(work: Promise<T>): Promise<T> => {
      const before = hashed(answers)
      const done = await work
      overtaking.push(hashed(answers) - before)
      return done
    }
    for (let rounds = 0; rounds < 3; rounds++) {
      await counted(signIn(someone, '198.51.100.1', null))
      known = await counted(signIn(someone, '203.0.113.7', known))
    }
    console.info(`${lanes} lanes: ${JSON.stringify(Object.fromEntries(answers))}; overtaken by ${overtaking}`)
    expect([...answers.keys()].every((status) => [200, 401, 403, 429, 503].includes(status))).toBe(true)
    expect(Math.max(...overtaking)).toBeLessThan(maxOvertaking)
  })
})

test('calls refused only because of the queue are not counted, and a flood leaves bounded data', async () => {
  const { count } = await db
    .selectFrom('failed_sign_ins')
    .select((is) => is.fn.sum<string>('passwords').as('count'))
    .where('network', '=', '203.0.113.7')
    .executeTakeFirstOrThrow()
  const rows = await Promise.all(
    (['failed_sign_ins', 'guesses', 'attempt_limits'] as const).map(
      async (table) =>
        (
          await db
            .selectFrom(table)
            .select((is) => is.fn.countAll<string>().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
    ),
  )
  expect(Number(count)).toBeLessThan(120)
  expect(rows.every((each) => Number(each) < 250)).toBe(true)
})
