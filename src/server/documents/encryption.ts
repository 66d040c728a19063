import type { PublicKey } from 'openpgp'
import { damagedKey, type EncryptionKey, privateKeyPasted, publicKeyProblem } from '#domain/public-key.ts'

/** Loaded with the first key, not at every start. */
const openpgp = () => import('openpgp')

/** A parsed key, or a message for people about what is wrong with it (VAL-012). */
export async function readEncryptionKey(armored: string, now: Date): Promise<EncryptionKey | string> {
  const seen = publicKeyProblem(armored)
  if (seen) return seen
  const { readKeys } = await openpgp()
  let keys: PublicKey[]
  try {
    keys = (await readKeys({ armoredKeys: armored })) as PublicKey[]
  } catch {
    return damagedKey
  }
  const [key] = keys
  if (!key) return damagedKey
  if (keys.length > 1) return 'These are several keys. Paste one.'
  if (key.isPrivate()) return privateKeyPasted
  if (await key.isRevoked(undefined, undefined, now)) return 'This key was revoked by its owner. Ask for the new one.'
  const until = await key.getExpirationTime().catch(() => null)
  if (until === null) return damagedKey
  if (until instanceof Date && until <= now) return `This key expired on ${until.toISOString().slice(0, 10)}. Ask for a new one.`
  try {
    await key.getEncryptionKey(undefined, now)
  } catch (error) {
    return /weak|shorter/i.test(String(error))
      ? 'This key is too short to be safe. Ask for a longer one.'
      : 'Nothing can be encrypted to this key: it has no part for that which is valid now.'
  }
  return {
    armored: key.armor(),
    fingerprint: key.getFingerprint(),
    user_ids: key.getUserIDs(),
    algorithm: algorithmOf(key),
    created_at: key.getCreationTime(),
    expires_at: until instanceof Date ? until : null,
  }
}

function algorithmOf(key: PublicKey): string {
  const { algorithm, bits, curve } = key.getAlgorithmInfo()
  if (bits) return `RSA ${bits}`
  if (/25519/.test(`${curve} ${algorithm}`)) return 'Curve25519'
  return curve ? String(curve) : algorithm
}

/** A file encrypted to a key that was valid when it was added; binary, like the output of `gpg --encrypt`. */
export async function encryptTo(armored: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { createMessage, encrypt, enums, readKeys } = await openpgp()
  const [key] = (await readKeys({ armoredKeys: armored })) as PublicKey[]
  if (!key) throw new Error('The key is gone.')
  const made = await encrypt({
    message: await createMessage({ text }),
    encryptionKeys: key,
    format: 'binary',
    config: { preferredCompressionAlgorithm: enums.compression.uncompressed },
  })
  return made as Uint8Array<ArrayBuffer>
}
