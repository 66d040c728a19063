import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as text for headers and URLs. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** A random number of six digits, as text. */
export const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** SHA-256 of the parts: sufficient for random values, and for a code that expires after five tries. */
export const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('base64url')

/** Compares in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest()]
  return timingSafeEqual(a, b)
}
