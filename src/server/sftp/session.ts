import { once } from 'node:events'
import { posix } from 'node:path'
import ssh2, { type Attributes, type FileEntry, type ServerChannel } from 'ssh2'
import { isSystemFile, isUnfinished } from '#domain/arriving-file-name.ts'
import { isDiskFull } from '#server/postgres/away.ts'
import type { Services } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { validateName, FileRefused, receive } from '#server/jobs/imports/receive.ts'
import {
  attributesAnswer,
  dataAnswer,
  type Fields,
  handleAnswer,
  namesAnswer,
  packetOf,
  ProtocolError,
  request,
  requestsOn,
  type SftpAnswer,
  statusAnswer,
  versionPacket,
} from '#server/sftp/protocol.ts'
import { isUnchanged, type SftpPerson } from '#server/sftp/sign-in.ts'
import { type OutgoingFile, outgoingFile, outgoingFiles } from '#server/sftp/outgoing.ts'
import { Spool, type SpooledFile, TooLarge } from '#server/sftp/spool.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** Folder with files for download. */
const out = '/out'
/** Maximum number of files per channel that are open, or written under a temporary name. */
const maxOpen = 32
/** Maximum number of names per directory answer: clients accept no answer of more than 256 kB. */
const namesAtOnce = 200

/** Flag of attributes that have a size (draft-ietf-secsh-filexfer-02, section 5). */
const sizeAttribute = 1

const isFolder = 0o040755
const isFile = 0o100600
const second = (date: Date): number => Math.floor(date.getTime() / 1000)

type Handle =
  | { kind: 'write'; file: SpooledFile }
  | { kind: 'read'; content: Buffer }
  | { kind: 'folder'; entries: FileEntry[]; reported: number }

/** A completely written file: imported, dropped, or kept with its bytes until it is renamed. */
interface WrittenFile {
  size: number
  at: Date
  file: SpooledFile | null
  received: boolean
}

/** An error answer to a client: a code of the protocol, and a sentence that some clients show. */
class StatusError extends Error {
  readonly code: number
  constructor(code: number, sentence: string) {
    super(sentence)
    this.code = code
  }

  get answer(): SftpAnswer {
    return statusAnswer(this.code, this.message)
  }
}

/** A channel and its client. */
interface ChannelOptions {
  /** Whether the client shows nothing of a refusal but its code. */
  hidesSentences: boolean
  noteActivity: () => void
  gone: AbortSignal
}

const done = statusAnswer(STATUS_CODE.OK)
const endOfFile = statusAnswer(STATUS_CODE.EOF)
const noSuchFile = () => new StatusError(STATUS_CODE.NO_SUCH_FILE, 'There is no such file.')
const failed = (sentence: string) => new StatusError(STATUS_CODE.FAILURE, sentence)
const accessRevoked = 'You may not put files here any more.'
const denied = (sentence: string) => new StatusError(STATUS_CODE.PERMISSION_DENIED, sentence)

/** The file system of a signed-in user: the folder of the organization for uploads, and `out` for downloads. */
export class SftpSession {
  readonly #services: Services
  readonly #person: SftpPerson
  readonly #report: (error: unknown) => void
  readonly #spool = new Spool()
  readonly #handles = new Map<number, Handle>()
  /** Files that this connection wrote completely, by path; the latest per name. */
  readonly #written = new Map<string, WrittenFile>()
  #next = 0

  constructor(services: Services, person: SftpPerson, report: (error: unknown) => void) {
    this.#services = services
    this.#person = person
    this.#report = report
  }

  /**
   * Answers the requests of a channel, one after the other, so that a file is complete when it is closed even if the client
   * pipelines requests, and until it reads the answers. Then closes the channel, and discards incomplete files. `gone` is aborted
   * when the client is gone.
   */
  async serve(channel: ServerChannel, { hidesSentences, noteActivity, gone }: ChannelOptions): Promise<void> {
    // A client that hangs up before it has read an answer is not our failure.
    for (const stream of [channel, channel.stderr]) stream.on('error', () => undefined)
    try {
      for await (const { kind, id, fields } of requestsOn(channel)) {
        noteActivity()
        const answer = kind === request.INIT ? null : await this.#perform(kind, fields).catch((error) => this.#statusOf(error))
        if (answer instanceof StatusError && hidesSentences) showSentence(channel, answer)
        const isRead = channel.write(
          answer ? packetOf(id, answer instanceof StatusError ? answer.answer : answer) : versionPacket,
        )
        if (!isRead) await once(channel, 'drain', { signal: gone })
      }
      // scp takes a channel without a status for a failure.
      channel.exit(0)
    } catch {
      // A client that breaks the protocol, or hangs up, is not our failure.
    }
    channel.end()
    await this.#discard()
  }

  async #discard(): Promise<void> {
    for (const handle of this.#handles.values()) if (handle.kind === 'write') await handle.file.close()
    for (const { file } of this.#written.values()) await file?.close()
    this.#handles.clear()
    await this.#spool.end()
  }

  async #perform(kind: number, fields: Fields): Promise<SftpAnswer> {
    switch (kind) {
      case request.OPEN:
        return this.#open(inFolder(fields.text()), fields.number())
      case request.WRITE: {
        const open = this.#handleOf(fields.bytes())
        if (open.kind !== 'write') throw denied('This file is not written.')
        const at = fields.longNumber()
        await open.file.write(fields.bytes(), at)
        return done
      }
      case request.READ: {
        const open = this.#handleOf(fields.bytes())
        if (open.kind !== 'read') throw denied('This file is not read.')
        const [at, length] = [fields.longNumber(), fields.number()]
        return at >= open.content.length ? endOfFile : dataAnswer(open.content.subarray(at, at + length))
      }
      case request.CLOSE:
        return this.#close(fields.bytes())
      case request.OPENDIR: {
        this.#refuseOneMore()
        return this.#keep({ kind: 'folder', entries: await this.#entriesOf(inFolder(fields.text())), reported: 0 })
      }
      case request.READDIR: {
        const open = this.#handleOf(fields.bytes())
        if (open.kind !== 'folder') throw denied('This is no folder.')
        const next = open.entries.slice(open.reported, open.reported + namesAtOnce)
        open.reported += next.length
        return next.length === 0 ? endOfFile : namesAnswer(next)
      }
      case request.STAT:
      case request.LSTAT:
        return attributesAnswer(await this.#attributesOf(inFolder(fields.text())))
      case request.FSTAT: {
        const open = this.#handleOf(fields.bytes())
        const size = open.kind === 'write' ? open.file.size : open.kind === 'read' ? open.content.length : 0
        return attributesAnswer(attributesOf(open.kind === 'folder' ? isFolder : isFile, size, new Date()))
      }
      case request.REALPATH: {
        const filename = inFolder(fields.text())
        return namesAnswer([{ filename, longname: filename, attrs: attributesOf(isFolder, 0, new Date()) }])
      }
      // Clients set times and permissions after writing; both are ignored; a size is not.
      case request.SETSTAT:
        fields.text()
        if (fields.number() & sizeAttribute) throw denied('The size of a file cannot be changed.')
        return done
      case request.FSETSTAT: {
        const open = this.#handleOf(fields.bytes())
        if (open.kind === 'write' && fields.number() & sizeAttribute) open.file.cutAt(fields.longNumber())
        return done
      }
      case request.RENAME:
        return this.#rename(inFolder(fields.text()), fields.text())
      case request.REMOVE:
        return this.#remove(inFolder(fields.text()))
      case request.MKDIR:
      case request.RMDIR:
      case request.SYMLINK:
      case request.READLINK:
        throw denied('Files are put here and fetched from out, nothing else.')
      default:
        return statusAnswer(STATUS_CODE.OP_UNSUPPORTED)
    }
  }

  async #rename(from: string, to: string): Promise<SftpAnswer> {
    const written = this.#written.get(from)
    if (!written?.file) throw noSuchFile()
    const name = nameIn(to)
    await this.#validateName(name)
    await this.#keepAs(name, written.file, written.at)
    if (from !== inFolder(to)) this.#written.delete(from)
    return done
  }

  async #remove(path: string): Promise<SftpAnswer> {
    const written = this.#written.get(path)
    if (!written) throw noSuchFile()
    if (written.received) throw denied('This file was received as an import, and cannot be taken back here.')
    await written.file?.close()
    this.#written.delete(path)
    return done
  }

  #statusOf(error: unknown): StatusError {
    if (error instanceof ProtocolError) throw error
    if (error instanceof StatusError) return error
    if (error instanceof FileRefused) return failed(error.message)
    if (error instanceof TooLarge) return failed('A file has at most 1 GB.')
    this.#report(error)
    const full = isDiskFull(error) || (error as { code?: unknown } | null)?.code === 'ENOSPC'
    return failed(full ? 'Nothing can be saved right now. Try again later.' : 'Something went wrong. Try again later.')
  }

  #keep(handle: Handle): SftpAnswer {
    const number = this.#next++
    this.#handles.set(number, handle)
    const name = Buffer.alloc(4)
    name.writeUInt32BE(number)
    return handleAnswer(name)
  }

  #handleOf(handle: Buffer): Handle {
    const found = handle.length === 4 ? this.#handles.get(handle.readUInt32BE(0)) : undefined
    if (!found) throw failed('This file is not open.')
    return found
  }

  /** Throws if the connection has the maximum number of open files. */
  #refuseOneMore(): void {
    const unnamed = [...this.#written.values()].filter(({ file }) => file).length
    if (this.#handles.size + unnamed >= maxOpen) throw failed(`At most ${maxOpen} files are open at once.`)
  }

  async #open(path: string, flags: number): Promise<SftpAnswer> {
    this.#refuseOneMore()
    if (!(flags & OPEN_MODE.WRITE)) {
      const file = (await this.#outgoing()).find(({ name }) => path === `${out}/${name}`)
      if (!file) throw noSuchFile()
      return this.#keep({ kind: 'read', content: await outgoingFile(this.#services, this.#person, file.id) })
    }
    const name = nameIn(path)
    await this.#validateName(name)
    if (flags & OPEN_MODE.APPEND) throw denied('Files are written from their beginning.')
    if (!(await isUnchanged(this.#services, this.#person))) throw denied(accessRevoked)
    return this.#keep({ kind: 'write', file: await this.#spool.begin(name) })
  }

  async #close(handle: Buffer): Promise<SftpAnswer> {
    const open = this.#handleOf(handle)
    this.#handles.delete(handle.readUInt32BE(0))
    if (open.kind === 'write') {
      const { file } = open
      if (!file.whole) {
        await file.close()
        throw failed('Not all of this file arrived. Put it again.')
      }
      await this.#keepAs(file.name, file, new Date())
    }
    return done
  }

  /** Throws if no file of this name can be imported, and it is not a temporary name or a dropped one. */
  async #validateName(name: string): Promise<void> {
    if (isUnfinished(name) || isSystemFile(name)) return
    const { organization_id } = this.#person
    await validateName(this.#services.background.db as Tx, name, { organization_id, employer_id: null })
  }

  /** Imports a complete file, drops it, or keeps it until it is renamed, depending on its name. */
  async #keepAs(name: string, file: SpooledFile, at: Date): Promise<void> {
    const isTemporary = isUnfinished(name)
    const drops = isSystemFile(name)
    if (drops) await file.close()
    else if (!isTemporary) await this.#take(file, name)
    const before = this.#written.get(`/${name}`)?.file
    if (before !== file) await before?.close()
    this.#written.set(`/${name}`, { size: file.size, at, file: isTemporary ? file : null, received: !isTemporary && !drops })
  }

  /** Imports a complete file. */
  async #take(file: SpooledFile, name: string): Promise<void> {
    try {
      const { id, username, organization_id } = this.#person
      const by = { id: `sftp-user:${id}`, name: username }
      const arriving = { organization_id, employer_id: null, source: 'SFTP' as const, file_name: name, by }
      await this.#services.background.db.transaction().execute(async (tx) => {
        if (!(await isUnchanged({ db: tx }, this.#person))) throw denied(accessRevoked)
        await receive(tx, { ...arriving, content: () => file.content() }, new Date())
      })
    } finally {
      await file.close()
    }
  }

  async #outgoing(): Promise<OutgoingFile[]> {
    if (!(await isUnchanged(this.#services, this.#person))) throw denied('You may not fetch files any more.')
    return outgoingFiles(this.#services, this.#person)
  }

  async #entriesOf(path: string): Promise<FileEntry[]> {
    if (path === out) return (await this.#outgoing()).map(({ name, at }) => entryOf(name, attributesOf(isFile, null, at)))
    if (path !== '/') throw noSuchFile()
    return [
      entryOf('out', attributesOf(isFolder, 0, new Date())),
      ...[...this.#written].map(([name, { size, at }]) => entryOf(posix.basename(name), attributesOf(isFile, size, at))),
    ]
  }

  async #attributesOf(path: string): Promise<Attributes> {
    if (path === '/' || path === out) return attributesOf(isFolder, 0, new Date())
    const written = this.#written.get(path)
    if (written) return attributesOf(isFile, written.size, written.at)
    const file = path.startsWith(`${out}/`) && (await this.#outgoing()).find(({ name }) => path === `${out}/${name}`)
    if (!file) throw noSuchFile()
    const content = await outgoingFile(this.#services, this.#person, file.id, { look: true })
    return attributesOf(isFile, content.length, file.at)
  }
}

/** OpenSSH shows only the code of a status ('Failure'), but prints what arrives on stderr. */
function showSentence({ stderr }: ServerChannel, { code, message }: StatusError): void {
  // It has its own message for a missing file, and also looks for the file before each upload.
  if (code !== STATUS_CODE.NO_SUCH_FILE && !stderr.writableNeedDrain) stderr.write(`${message}\r\n`)
}

/** A normalized path below the folder of the organization, which it cannot leave. */
const inFolder = (path: string): string => posix.resolve('/', path)

/** The file name in the path of an upload; throws if it is not directly in the folder of the organization. */
function nameIn(path: string): string {
  const { dir, base } = posix.parse(inFolder(path))
  if (dir !== '/') throw denied('Files are put into the first folder.')
  return base
}

/** The size is left out for a file that is generated when read: 0 would be taken for an empty file. */
const attributesOf = (mode: number, size: number | null, at: Date): Attributes => ({
  mode,
  ...(size === null ? ({} as { size: number }) : { size }),
  uid: 0,
  gid: 0,
  atime: second(at),
  mtime: second(at),
})

const entryOf = (filename: string, attrs: Attributes): FileEntry => {
  const folder = (attrs.mode & 0o040000) === 0o040000
  const day = new Date(attrs.mtime * 1000).toISOString().slice(0, 10)
  return { filename, longname: `${folder ? 'drwxr-xr-x' : '-rw-------'} 1 0 0 ${attrs.size ?? '?'} ${day} ${filename}`, attrs }
}
