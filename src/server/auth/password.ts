import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordCost } from '#server/auth/settings.ts'
import { Refused } from '#server/refused.ts'

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** Hashes at a time: each takes megabytes and a thread, and requests of people who are signed in need threads too. */
const atOnce = 2
/** More than this many waiting is a flood. */
const waitingAtMost = 50

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) {
      throw new Refused(503, 'unavailable', 'Many people are signing in right now. Try again in a few seconds.', {
        retry_after: 5,
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const tagLength = 32

/** Argon2id in the PHC string format, cost included, so that the cost may change later. Runs off the event loop. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const tag = await inTurn(() => tagOf(password, salt, cost))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${base64(salt)}$${base64(tag)}`
}

/**
 * Whether a password is the one behind a hash. No hash (no such person, or none chosen yet) takes as long
 * as a wrong password, so that time tells nothing.
 */
export async function verifyPassword(password: string, encoded: string | null, cost: PasswordCost): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(encoded ?? '')
  if (!parts) {
    await inTurn(() => tagOf(password, Buffer.alloc(16), cost))
    return false
  }
  const [memory, passes] = [Number(parts[1]), Number(parts[2])]
  const tag = await inTurn(() => tagOf(password, Buffer.from(parts[3] ?? '', 'base64'), { memory, passes }))
  const expected = Buffer.from(parts[4] ?? '', 'base64')
  return expected.length === tag.length && timingSafeEqual(expected, tag)
}

const tagOf = (password: string, salt: Buffer, { memory, passes }: PasswordCost): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, parallelism: 1, tagLength, memory, passes })

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
