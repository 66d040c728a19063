import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { inTurn, ofTheServer, type Place } from '#server/limits/hash-queue.ts'
import type { PasswordCost } from '#server/auth/settings.ts'

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

const tagLength = 32

/** Argon2id in the PHC string format, including the cost, so that the cost can be changed later. Runs off the event loop. */
export async function hashPassword(password: string, cost: PasswordCost, place: Place = ofTheServer): Promise<string> {
  const salt = randomBytes(16)
  const tag = await inTurn(place, () => tagOf(password, salt, cost))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${base64(salt)}$${base64(tag)}`
}

/**
 * Whether a password matches a hash. Without a hash (unknown person, or no password yet) it takes as long as for a wrong
 * password, so that timing reveals nothing.
 */
export async function verifyPassword(
  password: string,
  encoded: string | null,
  cost: PasswordCost,
  place: Place = ofTheServer,
): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(encoded ?? '')
  if (!parts) {
    await inTurn(place, () => tagOf(password, Buffer.alloc(16), cost))
    return false
  }
  const [memory, passes] = [Number(parts[1]), Number(parts[2])]
  const tag = await inTurn(place, () => tagOf(password, Buffer.from(parts[3] ?? '', 'base64'), { memory, passes }))
  const expected = Buffer.from(parts[4] ?? '', 'base64')
  return expected.length === tag.length && timingSafeEqual(expected, tag)
}

const tagOf = (password: string, salt: Buffer, { memory, passes }: PasswordCost): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, parallelism: 1, tagLength, memory, passes })

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
