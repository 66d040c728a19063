import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as text for headers and URLs. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** A random number of six digits, as text. */
export const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** SHA-256 of the parts: sufficient for random values, and for a code that expires after five tries. */
export const digest = (...parts: string[]): string => hash('sha256', parts.join('\0'), 'base64url')

/** Compares in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer')]
  return timingSafeEqual(a, b)
}
