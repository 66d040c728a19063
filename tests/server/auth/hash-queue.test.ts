import { request } from 'node:http'
import { Client } from 'ssh2'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { enterLine } from '#server/limits/account-queue.ts'
import { guess, WrongGuess } from '#server/limits/attempts.ts'
import { inTurn, ofTheServer } from '#server/limits/hash-queue.ts'
import { digest } from '#server/auth/secret.ts'
import { listenForSftp } from '#server/sftp/listen.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
/** Resumes the queue that `blockQueue` stopped. */
let resumeQueue = () => {}

beforeAll(async () => {
  server = await createServer({ app: { trustProxy: 1 } })
})
afterEach(() => resumeQueue())
afterAll(() => server.close())

/** Takes both slots for running hashes, so that everybody else waits. */
function blockQueue(): void {
  const until = new Promise<void>((resolve) => {
    resumeQueue = resolve
  })
  for (const _ of [1, 2]) void inTurn(ofTheServer, () => until)
}

const typed = (email: string, password: string) => JSON.stringify({ email, password })
const headersFrom = (address: string) => ({
  ...server.application,
  'content-type': 'application/json',
  'x-forwarded-for': address,
})
const signIn = async (address: string, email: string, password = 'Right-Pass-1') => {
  const response = await fetch(`${server.origin}/api/auth`, {
    method: 'POST',
    headers: headersFrom(address),
    body: typed(email, password),
  })
  const { code, challenge } = (await response.json()) as Record<string, string>
  return { status: response.status, code: code ?? challenge }
}
/** Calls, and closes the connection without waiting for the answer. */
function hangUp(address: string, email: string): () => void {
  const call = request(`${server.origin}/api/auth`, { method: 'POST', headers: headersFrom(address), agent: false })
  call.on('error', () => undefined)
  call.end(typed(email, 'Wrong-Pass-1'))
  return () => call.destroy()
}

/** Guesses counted for the account of an e-mail, or for a network. */
const guessCount = (...scope: string[]) => guessCountAt(digest(...scope))
async function guessCountAt(scope: string): Promise<number> {
  const row = await server.db.selectFrom('guesses').select('wrong_at').where('scope', '=', scope).executeTakeFirst()
  return (row?.wrong_at as unknown[] | undefined)?.length ?? 0
}
const failed = async () =>
  Number(
    (
      await server.db
        .selectFrom('failed_sign_ins')
        .select((is) => is.fn.sum<string>('passwords').as('count'))
        .executeTakeFirst()
    )?.count ?? 0,
  )

const unavailable = { status: 503, code: 'unavailable' }

test('a caller who got 503 while waiting for a hash has spent no try and is not delayed', async () => {
  const { email } = await createPerson(server.db)
  // Shorter than in production, so that the test does not wait long for a refusal.
  server.services.answerWithin = 400
  blockQueue()
  for (let time = 0; time < 3; time += 1) expect(await signIn('198.51.100.1', email)).toEqual(unavailable)
  await expect.poll(() => guessCount('account', email)).toBe(0)
  await expect.poll(() => guessCount('from', '198.51.100.1')).toBe(0)
  // Nobody is served for this account any more, so the next caller need not wait.
  const leave = await enterLine(digest('account', email), '192.0.2.1', 0)
  expect(leave).not.toBe(null)
  leave?.()
  resumeQueue()
  server.services.answerWithin = 30_000
  expect(await signIn('198.51.100.1', email)).toEqual({ status: 200, code: 'SOFTWARE_TOKEN_MFA' })
})

test('a burst of aborted calls leaves no password to judge, and no row for a wrong one', async () => {
  const { email } = await createPerson(server.db)
  blockQueue()
  const before = await failed()
  const all = Array.from({ length: 150 }, (_, index) => [`10.${index}.0.9`, `gone-${index}@example.com`] as const)
  const ends = all.map(([address, of]) => hangUp(address, of))
  // They wait once each of them is counted.
  await expect.poll(() => Promise.all(all.map(([, of]) => guessCount('account', of)))).not.toContain(0)
  for (const end of ends) end()
  await expect.poll(() => Promise.all(all.map(([, of]) => guessCount('account', of)))).toEqual(all.map(() => 0))
  resumeQueue()
  expect(await signIn('203.0.113.1', email)).toMatchObject({ status: 200 })
  expect(await failed()).toBe(before)
})

test('aborting while an SFTP password waits to be judged spends no guess of the account', async () => {
  const listener = await listenForSftp(server.services, { port: 0, host: '127.0.0.1', report: () => expect.unreachable() })
  const client = new Client()
  blockQueue()
  client
    .on('error', () => undefined)
    .connect({ host: '127.0.0.1', port: listener.port, username: 'harbor', password: 'Wrong-Pass-1' })
  await expect.poll(() => guessCountAt('sftp harbor')).toBe(1)
  client.destroy()
  await expect.poll(() => guessCountAt('sftp harbor')).toBe(0)
  resumeQueue()
  await listener.close()
})

test('concurrent calls of one network for one account are refused as busy, not as guesses', async () => {
  const { email } = await createPerson(server.db)
  const caller = { address: '198.51.100.7', device: null }
  const context = { db: server.db, caller, now: new Date(), patience: 100 }
  let end = () => {}
  const judging = new Promise<void>((resolve) => {
    end = resolve
  })
  const first = guess(context, email, () => judging)
  await expect.poll(() => guessCount('account', email)).toBe(1)
  await expect(guess(context, email, async () => undefined)).rejects.toMatchObject(unavailable)
  const other = { ...context, caller: { ...caller, address: '198.51.100.8' } }
  await expect(guess(other, email, async () => undefined)).rejects.toMatchObject({ status: 429, code: 'link-needed' })
  end()
  await first
})

test('a guess that has started is judged and stays counted, also when the caller is gone', async () => {
  const hungUp = new AbortController()
  const place = { line: 'strangers' as const, block: 'a', network: 'b', gone: hungUp.signal }
  expect(await inTurn(place, async () => hungUp.abort())).toBe(undefined)
  await expect(inTurn(place, async () => undefined)).rejects.toMatchObject(unavailable)

  const email = 'begun@example.com'
  const again = new AbortController()
  const caller = { address: '198.51.100.9', device: null, gone: again.signal }
  const wrong = guess({ db: server.db, caller, now: new Date() }, email, async () => {
    again.abort()
    throw new WrongGuess(401, 'credentials-invalid', 'Wrong.')
  })
  await expect(wrong).rejects.toMatchObject({ code: 'credentials-invalid' })
  expect([await guessCount('account', email), await guessCount('from', '198.51.100.9')]).toEqual([1, 1])
})

test('aborted calls do not change the order of the other calls of their network', async () => {
  blockQueue()
  const served: string[] = []
  const one = (name: string, network: string, gone?: AbortSignal) =>
    inTurn({ line: 'strangers', block: '192.0.2', network, gone }, async () => void served.push(name))
  const [hungUp, alone] = [new AbortController(), new AbortController()]
  const left = [one('a', '192.0.2.1', hungUp.signal), one('c', '192.0.2.3', alone.signal)]
  const stay = [one('b', '192.0.2.1'), one('d', '192.0.2.2')]
  hungUp.abort()
  alone.abort()
  for (const each of left) await expect(each).rejects.toMatchObject(unavailable)
  resumeQueue()
  await Promise.all(stay)
  expect(served).toEqual(['b', 'd'])
})
