import type { Readable } from 'node:stream'
import type { Attributes, FileEntry } from 'ssh2'

/** Requests of SFTP version 3 (draft-ietf-secsh-filexfer-02) by their numbers. */
export const request = {
  INIT: 1,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  READLINK: 19,
  SYMLINK: 20,
} as const

const version = 3
/** Maximum number of bytes of a request, as of OpenSSH. */
const maxLength = 256 * 1024

/** Thrown for bytes that are not SFTP: the channel is closed. */
export class ProtocolError extends Error {}

/** The fields of a request, read in their order. */
export class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new ProtocolError('A request is too short.')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  number = (): number => this.#take(4).readUInt32BE()
  longNumber = (): number => Number(this.#take(8).readBigUInt64BE())
  bytes = (): Buffer => this.#take(this.number())
  text = (): string => this.bytes().toString()
}

/** A request of a client; `id` is repeated in its answer. */
export interface SftpRequest {
  kind: number
  id: number
  fields: Fields
}

/** The requests that arrive on a channel, after the version. Throws ProtocolError. */
export async function* requestsOn(channel: Readable): AsyncGenerator<SftpRequest> {
  let isVersionKnown = false
  let received: Buffer = Buffer.alloc(0)
  for await (const chunk of channel) {
    received = Buffer.concat([received, chunk as Buffer])
    while (received.length >= 4) {
      const length = received.readUInt32BE()
      if (length < 5 || length > maxLength) throw new ProtocolError('A request has an impossible length.')
      if (received.length < 4 + length) break
      const [kind = 0, fields] = [received[4], new Fields(received.subarray(5, 4 + length))]
      received = received.subarray(4 + length)
      if ((kind === request.INIT) === isVersionKnown) throw new ProtocolError('The version is said once, and first.')
      isVersionKnown = true
      yield { kind, id: fields.number(), fields }
    }
  }
}

/** An answer to a request: its number, and what follows the id. */
export type SftpAnswer = readonly [kind: number, content: Buffer]

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const longNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
const bytesOf = (content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([number(bytes.length), bytes])
}
const attributes = ({ size, uid, gid, mode, atime, mtime }: Partial<Attributes> & Omit<Attributes, 'size'>): Buffer => {
  const has = { size: 1, owner: 2, mode: 4, times: 8 }
  const flags = has.owner | has.mode | has.times | (size === undefined ? 0 : has.size)
  const sized = size === undefined ? [] : [longNumber(size)]
  return Buffer.concat([number(flags), ...sized, ...[uid, gid, mode, atime, mtime].map(number)])
}

/** Whether a request succeeded, with a sentence that some clients show. */
export const statusAnswer = (code: number, sentence = ''): SftpAnswer => [
  101,
  Buffer.concat([number(code), bytesOf(sentence), bytesOf('')]),
]

/** The name of an open file or folder. */
export const handleAnswer = (handle: Buffer): SftpAnswer => [102, bytesOf(handle)]

/** A part of a file. */
export const dataAnswer = (data: Buffer): SftpAnswer => [103, bytesOf(data)]

/** Entries of a folder. */
export const namesAnswer = (entries: readonly FileEntry[]): SftpAnswer => [
  104,
  Buffer.concat([
    number(entries.length),
    ...entries.flatMap(({ filename, longname, attrs }) => [bytesOf(filename), bytesOf(longname), attributes(attrs)]),
  ]),
]

/** The attributes of a file or folder. */
export const attributesAnswer = (attrs: Attributes): SftpAnswer => [105, attributes(attrs)]

/** An answer as it is sent. */
export const packetOf = (id: number, [kind, content]: SftpAnswer): Buffer =>
  bytesOf(Buffer.concat([Buffer.from([kind]), number(id), content]))

/** The answer to INIT, which has no id. */
export const versionPacket: Buffer = bytesOf(Buffer.concat([Buffer.from([2]), number(version)]))
