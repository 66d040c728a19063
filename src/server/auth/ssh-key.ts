import { createHash, createPublicKey } from 'node:crypto'
import { readSshKey } from '#domain/ssh-key.ts'

/** A parsed SSH public key, with its fingerprint as OpenSSH shows it. */
export interface KnownSshKey {
  type: string
  text: string
  fingerprint: string
}

/** A public key, or a message for people about what is wrong with it (SFT-005). */
export async function knownSshKey(typed: string): Promise<KnownSshKey | string> {
  const key = readSshKey(typed)
  if (typeof key === 'string') return key
  // Loaded with the first key, not at every start.
  const { default: sshpk } = await import('sshpk')
  const blob = Buffer.from(key.text.split(' ')[1] ?? '', 'base64')
  try {
    const base = sshpk.parseKey(`${baseType(key.type)} ${withoutApplication(key.type, blob).toString('base64')}`, 'ssh')
    // OpenSSL validates the key, for example that the point is on its curve.
    createPublicKey(base.toString('pkcs8'))
  } catch {
    return 'This key is damaged: copy all of its line.'
  }
  return { ...key, fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}` }
}

/** The key type without the FIDO prefix: keys on a security key have the same base type. */
const baseType = (type: string): string => type.replace(/^sk-/, '').replace('@openssh.com', '')

/** Converts a FIDO security key to a plain one: without its last part, and with the base type. */
function withoutApplication(type: string, blob: Buffer): Buffer {
  if (!type.startsWith('sk-')) return blob
  const parts: Buffer[] = []
  for (let at = 0; at < blob.length; at += 4 + blob.readUInt32BE(at))
    parts.push(blob.subarray(at, at + 4 + blob.readUInt32BE(at)))
  const name = Buffer.from(baseType(type))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(name.length)
  return Buffer.concat([head, name, ...parts.slice(1, -1)])
}
