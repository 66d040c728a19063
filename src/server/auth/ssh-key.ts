import { createHash, createPublicKey } from 'node:crypto'
import { readSshKey } from '#domain/ssh-key.ts'

/** A public key for SSH that was read, with its fingerprint as OpenSSH shows it. */
export interface KnownSshKey {
  type: string
  text: string
  fingerprint: string
}

/** A public key, or what is wrong with it in words for people (SFT-005). */
export async function knownSshKey(typed: string): Promise<KnownSshKey | string> {
  const key = readSshKey(typed)
  if (typeof key === 'string') return key
  // Loaded at the first key, not at every start.
  const { default: sshpk } = await import('sshpk')
  const blob = Buffer.from(key.text.split(' ')[1] ?? '', 'base64')
  try {
    const base = sshpk.parseKey(`${baseType(key.type)} ${withoutApplication(key.type, blob).toString('base64')}`, 'ssh')
    // OpenSSL looks whether its numbers can be those of a key: whether a point is on its curve.
    createPublicKey(base.toString('pkcs8'))
  } catch {
    return 'This key is damaged: copy all of its line.'
  }
  return { ...key, fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}` }
}

/** That of a key on a security key is the same but for what it is for. */
const baseType = (type: string): string => type.replace(/^sk-/, '').replace('@openssh.com', '')

/** A key on a security key as one that is not: without its last part, and with the other type. */
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
