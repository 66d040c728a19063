const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const end = '-----END PGP PUBLIC KEY BLOCK-----'

/** Message for a private key in the field of a public one. */
export const privateKeyPasted =
  'This is a private key, and nothing of it was kept. Paste the public key, and keep the private one to yourself.'

/** Message for an incomplete or changed key. */
export const damagedKey = 'This key is damaged: copy all of it, from BEGIN to END.'

/**
 * The error in an OpenPGP public key as far as its text shows, as a sentence; null if it may be valid (VAL-012). Only the
 * server parses it and knows for certain.
 */
export function publicKeyProblem(armored: string): string | null {
  if (/PRIVATE KEY/.test(armored)) return privateKeyPasted
  if (/^\s*(ssh-|ecdsa-|sk-)/.test(armored)) return 'This is an SSH key. Paste an OpenPGP public key.'
  if (/BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)/.test(armored)) return 'This is no OpenPGP key. Paste an OpenPGP public key.'
  const [first, last] = [armored.indexOf(begin), armored.indexOf(end)]
  if (first === -1) return `This is no OpenPGP public key: it begins with ${begin}`
  if (armored.indexOf(begin, first + 1) !== -1) return 'These are several keys. Paste one.'
  return last < first ? damagedKey : null
}

/** Metadata of an OpenPGP public key for encryption. */
export interface EncryptionKey {
  armored: string
  /** Hexadecimal, lower case. */
  fingerprint: string
  /** Its owner, as written in the key: `Ada <ada@example.com>`. */
  user_ids: string[]
  /** `Curve25519`, `RSA 4096`. */
  algorithm: string
  created_at: Date
  /** Null if it does not expire. */
  expires_at: Date | null
}

/** A fingerprint for comparison by people: in groups of four. */
export const fingerprintText = (fingerprint: string): string => fingerprint.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ')
