const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const end = '-----END PGP PUBLIC KEY BLOCK-----'

/** Shown for a private key in the field of a public one. */
export const privateKeyPasted =
  'This is a private key, and nothing of it was kept. Paste the public key, and keep the private one to yourself.'

/** Shown for a key of which a part is missing or was changed. */
export const damagedKey = 'This key is damaged: copy all of it, from BEGIN to END.'

/**
 * What is wrong with an OpenPGP public key as far as its text shows, as a sentence; null where it may be one (VAL-012). Only
 * the server, which parses it, knows for certain.
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

/** What is known of an OpenPGP public key that files can be encrypted to. */
export interface EncryptionKey {
  armored: string
  /** Hexadecimal, small letters. */
  fingerprint: string
  /** Whose it is, as its owner wrote it: `Ada <ada@example.com>`. */
  user_ids: string[]
  /** `Curve25519`, `RSA 4096`. */
  algorithm: string
  created_at: Date
  /** Null where it does not expire. */
  expires_at: Date | null
}

/** A fingerprint as people compare it: in groups of four. */
export const fingerprintText = (fingerprint: string): string => fingerprint.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ')
