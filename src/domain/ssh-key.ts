/** Key types by their first word, with the size in bytes of an elliptic curve point or an Ed25519 key. */
const types: Readonly<Record<string, { name: string; bytes: number | null }>> = {
  'ssh-ed25519': { name: 'Ed25519', bytes: 32 },
  'ecdsa-sha2-nistp256': { name: 'ECDSA P-256', bytes: 65 },
  'ecdsa-sha2-nistp384': { name: 'ECDSA P-384', bytes: 97 },
  'ecdsa-sha2-nistp521': { name: 'ECDSA P-521', bytes: 133 },
  'ssh-rsa': { name: 'RSA', bytes: null },
  'sk-ssh-ed25519@openssh.com': { name: 'Ed25519 on a security key', bytes: 32 },
  'sk-ecdsa-sha2-nistp256@openssh.com': { name: 'ECDSA P-256 on a security key', bytes: 65 },
}

/** Minimum size of an RSA key in bits. */
const minRsaBits = 2048

/** A public SSH key as stored. */
export interface SshKey {
  /** `ssh-ed25519` */
  type: string
  /** `ssh-ed25519 AAAA…`, without options and comment. */
  text: string
}

/** Name of a type: `Ed25519`. */
export const sshKeyName = (type: string): string => types[type]?.name ?? type

/** Low-order points of Ed25519 (of order 1, 2, 4 and 8, and non-canonical encodings of 0 and 1), without their sign. */
const smallPoints: ReadonlySet<string> = new Set(
  [
    ['00', '00', '00'],
    ['01', '00', '00'],
    ['ec', 'ff', '7f'],
    ['ed', 'ff', '7f'],
    ['ee', 'ff', '7f'],
  ]
    .map(([first = '', middle = '', last = '']) => first + middle.repeat(30) + last)
    .concat(
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    ),
)

const unsafe = 'This key protects nothing: anybody could sign in with it. Make another one.'
const damaged = 'This key is damaged: copy all of its line.'

/** Splits the bytes of a key into its parts, each after its length in four bytes; null if the lengths do not add up. */
function partsOf(bytes: Uint8Array): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return null
    const end = at + 4 + view.getUint32(at)
    if (end > bytes.length) return null
    parts.push(bytes.subarray(at + 4, end))
    at = end
  }
  return parts
}

function bytesOf(base64: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

const textOf = (bytes: Uint8Array | undefined): string => String.fromCharCode(...(bytes ?? []))

/** Bit length of a number as SSH writes it, most significant byte first. */
function bitsOf(number: Uint8Array): number {
  const first = number.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (number.length - first) * 8 - Math.clz32(number[first] as number) + 24
}

const isOdd = (number: Uint8Array): boolean => (number.at(-1) as number) % 2 === 1

/** Whether an Ed25519 point, whose last bit is a sign, has a low order. */
function isSmall(point: Uint8Array): boolean {
  const bytes = [...point.slice(0, -1), (point.at(-1) as number) & 0x7f]
  return smallPoints.has(bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}

/** Message for a private key in the field of a public one. */
export const privateKeyPasted =
  'This is a private key, and nothing of it was kept. Paste the public key, from the file that ends with .pub, and keep the private one to yourself.'

/** Whether a text is a private key or a part of one: its header, or the beginning of its body in the formats of OpenSSH and PuTTY. */
const isPrivateKey = (text: string): boolean =>
  /PRIVATE KEY|PuTTY-User-Key-File|Private-(?:Lines|MAC)|b3BlbnNzaC1rZXktdjE/.test(text)

/** Parses a public SSH key, or returns the error in words for people (SFT-005). The server also checks its numbers. */
export function readSshKey(typed: string): SshKey | string {
  const text = typed.trim()
  if (isPrivateKey(text)) return privateKeyPasted
  if (/BEGIN SSH2 PUBLIC KEY/.test(text)) return 'Paste the key as OpenSSH writes it, in one line: ssh-ed25519 AAAA…'
  if (/BEGIN PGP/.test(text)) return 'This is an OpenPGP key. Paste an SSH public key.'
  if (/BEGIN /.test(text)) return 'This is no SSH key. Paste the key as OpenSSH writes it, in one line: ssh-ed25519 AAAA…'
  if (text.split(/\r\n?|\n/).filter((line) => line.trim() !== '').length > 1)
    return /\n\s*(ssh-|ecdsa-|sk-)/.test(text) ? 'These are several keys. Paste one.' : damaged
  if (/^(\S*=|[a-zA-Z-]+,|no-|restrict\b|cert-authority\b)/.test(text))
    return 'Options before a key, such as from=, are not kept here. Paste the key without them.'
  const [, type = '', base64 = ''] = /(?:^|\s)((?:ssh|ecdsa|sk)-[\w@.-]+)(?:\s+(\S+))?/.exec(text) ?? []
  if (type === '') return 'This is no SSH public key: it begins with its type, such as ssh-ed25519.'
  if (/-cert-v\d+@/.test(type)) return 'This is a certificate. Paste the public key itself.'
  if (type === 'ssh-dss') return 'DSA keys are not safe any more. Use an Ed25519 key.'
  const known = types[type]
  if (!known) return `Keys of the type ${type.slice(0, 60)} are not known. Use an Ed25519 key.`
  const bytes = bytesOf(base64)
  const parts = bytes && partsOf(bytes)
  if (!parts || textOf(parts[0]) !== type) return damaged
  const fault = validateParts(type, parts, known.bytes)
  return fault ?? { type, text: `${type} ${base64}` }
}

function validateParts(type: string, parts: readonly Uint8Array[], length: number | null): string | null {
  if (type === 'ssh-rsa') {
    const [, exponent, modulus] = parts
    if (parts.length !== 3 || !exponent?.length || !modulus?.length) return damaged
    // A number with the first bit set is negative: SSH writes a zero byte before it.
    if ([exponent, modulus].some(([first = 0]) => first >= 0x80)) return damaged
    if (![exponent, modulus].every(isOdd) || bitsOf(exponent) < 2) return unsafe
    return bitsOf(modulus) < minRsaBits ? `An RSA key has at least ${minRsaBits} bits; this one has ${bitsOf(modulus)}.` : null
  }
  const ofCurve = type.includes('ecdsa')
  const point = parts[ofCurve ? 2 : 1]
  const count = (ofCurve ? 3 : 2) + (type.startsWith('sk-') ? 1 : 0)
  if (parts.length !== count || point?.length !== length || (ofCurve && point[0] !== 4)) return damaged
  if (!ofCurve) return isSmall(point) ? unsafe : null
  return type.includes(textOf(parts[1])) ? null : damaged
}

/** The error in a public SSH key; null if it is valid. */
export function sshKeyProblem(typed: string): string | null {
  const read = readSshKey(typed)
  return typeof read === 'string' ? read : null
}
