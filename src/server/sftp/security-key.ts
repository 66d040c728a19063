import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** Signature flag that somebody touched the security key. */
const userPresent = 0x01
/** Bytes after the signature itself: flags, and a counter. */
const trailerLength = 5

/** The length-prefixed parts of an SSH blob; null if malformed. */
function partsOf(blob: Buffer): Buffer[] | null {
  const parts: Buffer[] = []
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return null
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return null
    parts.push(blob.subarray(at + 4, end))
    at = end
  }
  return parts
}

const base64Url = (bytes: Buffer): string => bytes.toString('base64url')

/** An integer of an ECDSA signature as 32 bytes, from SSH's variable length; null if it is longer. */
function fixed32(number: Buffer): Buffer | null {
  const first = number.findIndex((byte) => byte !== 0)
  const bytes = first === -1 ? Buffer.alloc(0) : number.subarray(first)
  return bytes.length > 32 ? null : Buffer.concat([Buffer.alloc(32 - bytes.length), bytes])
}

/**
 * Verifies a signature by a FIDO security key, which signs a hash of the data together with the application, flags and a counter
 * (OpenSSH, PROTOCOL.u2f). `publicKey` is the blob of an `sk-` key, `signature` the bytes after the algorithm name. False without
 * a touch.
 */
export function isSignedBySecurityKey(publicKey: Buffer, data: Buffer, signature: Buffer): boolean {
  const [type, ...parts] = partsOf(publicKey) ?? []
  const application = parts.at(-1)
  const trailer = signature.subarray(-trailerLength)
  const own = signature.subarray(0, -trailerLength)
  if (!type || !application || trailer.length < trailerLength || ((trailer[0] as number) & userPresent) === 0) return false
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  const signed = Buffer.concat([sha256(application), trailer, sha256(data)])
  try {
    if (type.toString() === 'sk-ssh-ed25519@openssh.com') {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: base64Url(parts[0] as Buffer) }, format: 'jwk' })
      return verify(null, signed, key, own)
    }
    if (type.toString() !== 'sk-ecdsa-sha2-nistp256@openssh.com') return false
    return isSignedByEcdsa(parts[1] as Buffer, signed, own)
  } catch {
    // An invalid point, or a signature of another length.
    return false
  }
}

function isSignedByEcdsa(point: Buffer, signed: Buffer, signature: Buffer): boolean {
  const key: KeyObject = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: base64Url(point.subarray(1, 33)), y: base64Url(point.subarray(33)) },
    format: 'jwk',
  })
  const numbers = partsOf(signature)?.map(fixed32) ?? []
  const [r, s] = numbers
  return numbers.length === 2 && !!r && !!s && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([r, s]))
}
