import type { Socket } from 'node:net'
import { posix } from 'node:path'
import ssh2, { type Attributes, type FileEntry, type SFTPWrapper } from 'ssh2'
import { isSystemFile, isUnfinished } from '#domain/arriving-file-name.ts'
import { isDiskFull } from '#server/postgres/away.ts'
import type { Services } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { validateName, FileRefused, receive } from '#server/jobs/imports/receive.ts'
import { writeToStderr } from '#server/sftp/background.ts'
import { isUnchanged, type SftpPerson } from '#server/sftp/sign-in.ts'
import { type OutgoingFile, outgoingFile, outgoingFiles } from '#server/sftp/outgoing.ts'
import { Spool, type SpooledFile, TooLarge } from '#server/sftp/spool.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** Folder with files for download. */
const out = '/out'
/** Maximum number of files per channel that are open, or written under a temporary name. */
const maxOpen = 32
/** Maximum number of waiting requests; beyond it nothing more is read from the client. */
const maxWaiting = 64
/** Maximum number of names per directory answer: clients accept no answer of more than 256 kB. */
const namesAtOnce = 200

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
}

const noSuchFile = () => new StatusError(STATUS_CODE.NO_SUCH_FILE, 'There is no such file.')
const accessRevoked = 'You may not put files here any more.'
const denied = (sentence: string) => new StatusError(STATUS_CODE.PERMISSION_DENIED, sentence)

/** The file system of a signed-in user: the folder of the organization for uploads, and `out` for downloads. */
export class SftpSession {
  readonly #services: Services
  readonly #person: SftpPerson
  readonly #sftp: SFTPWrapper
  readonly #socket: Pick<Socket, 'pause' | 'resume'>
  readonly #report: (error: unknown) => void
  readonly #spool = new Spool()
  readonly #handles = new Map<number, Handle>()
  /** Files that this connection wrote completely, by path; the latest per name. */
  readonly #written = new Map<string, WrittenFile>()
  #next = 0
  /** Resolves once every request so far is answered. */
  #answered: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(
    services: Services,
    person: SftpPerson,
    { sftpStream, socket }: { sftpStream: SFTPWrapper; socket: Pick<Socket, 'pause' | 'resume'> },
    report: (error: unknown) => void,
  ) {
    this.#services = services
    this.#person = person
    this.#sftp = sftpStream
    this.#socket = socket
    this.#report = report
    this.#listen()
  }

  /** Discards incomplete files. */
  async end(): Promise<void> {
    await this.#answered
    for (const handle of this.#handles.values()) if (handle.kind === 'write') await handle.file.close()
    for (const { file } of this.#written.values()) await file?.close()
    this.#handles.clear()
    await this.#spool.end()
  }

  #listen(): void {
    const sftpStream = this.#sftp
    // Operations run in sequence, so that a file is complete when it is closed even if the client pipelines requests.
    const answer = (request: number, work: () => Promise<void>) => {
      this.#waiting += 1
      if (this.#waiting === maxWaiting) this.#socket.pause()
      this.#answered = this.#answered
        .then(work)
        .catch((error: unknown) => this.#refuse(request, error))
        .then(() => {
          this.#waiting -= 1
          if (this.#waiting === maxWaiting - 1) this.#socket.resume()
        })
    }
    const attributes = (request: number, path: string) =>
      answer(request, async () => void sftpStream.attrs(request, await this.#attributesOf(inFolder(path))))
    const fine = (request: number) => void sftpStream.status(request, STATUS_CODE.OK)
    const never = (request: number) => this.#refuse(request, denied('Files are put here and fetched from out, nothing else.'))
    sftpStream.on('OPEN', (request, path, flags) => answer(request, () => this.#open(request, inFolder(path), flags)))
    sftpStream.on('WRITE', (request, handle, at, data) =>
      answer(request, async () => {
        const open = this.#handleOf(handle)
        if (open.kind !== 'write') throw denied('This file is not written.')
        await open.file.write(data, at)
        fine(request)
      }),
    )
    sftpStream.on('READ', (request, handle, at, length) =>
      answer(request, async () => {
        const open = this.#handleOf(handle)
        if (open.kind !== 'read') throw denied('This file is not read.')
        if (at >= open.content.length) sftpStream.status(request, STATUS_CODE.EOF)
        else sftpStream.data(request, open.content.subarray(at, at + length))
      }),
    )
    sftpStream.on('CLOSE', (request, handle) => answer(request, () => this.#close(request, handle)))
    sftpStream.on('OPENDIR', (request, path) =>
      answer(request, async () => {
        this.#refuseOneMore()
        const entries = await this.#entriesOf(inFolder(path))
        this.#keep(request, { kind: 'folder', entries, reported: 0 })
      }),
    )
    sftpStream.on('READDIR', (request, handle) =>
      answer(request, async () => {
        const open = this.#handleOf(handle)
        if (open.kind !== 'folder') throw denied('This is no folder.')
        const next = open.entries.slice(open.reported, open.reported + namesAtOnce)
        if (next.length === 0) return void sftpStream.status(request, STATUS_CODE.EOF)
        open.reported += next.length
        sftpStream.name(request, next)
      }),
    )
    sftpStream.on('STAT', attributes)
    sftpStream.on('LSTAT', attributes)
    sftpStream.on('FSTAT', (request, handle) =>
      answer(request, async () => {
        const open = this.#handleOf(handle)
        const size = open.kind === 'write' ? open.file.size : open.kind === 'read' ? open.content.length : 0
        sftpStream.attrs(request, attributesOf(open.kind === 'folder' ? isFolder : isFile, size, new Date()))
      }),
    )
    sftpStream.on('REALPATH', (request, path) => {
      const filename = inFolder(path)
      sftpStream.name(request, [{ filename, longname: filename, attrs: attributesOf(isFolder, 0, new Date()) }])
    })
    // Clients set times and permissions after writing; both are ignored.
    sftpStream.on('SETSTAT', fine)
    sftpStream.on('FSETSTAT', fine)
    sftpStream.on('RENAME', (request, from, to) =>
      answer(request, async () => {
        const written = this.#written.get(inFolder(from))
        if (!written?.file) throw noSuchFile()
        const name = nameIn(to)
        await this.#judge(name)
        await this.#keepAs(name, written.file, written.at)
        if (inFolder(from) !== inFolder(to)) this.#written.delete(inFolder(from))
        fine(request)
      }),
    )
    sftpStream.on('REMOVE', (request, path) =>
      answer(request, async () => {
        const written = this.#written.get(inFolder(path))
        if (!written) throw noSuchFile()
        if (written.received) throw denied('This file was received as an import, and cannot be taken back here.')
        await written.file?.close()
        this.#written.delete(inFolder(path))
        fine(request)
      }),
    )
    for (const event of ['MKDIR', 'RMDIR', 'SYMLINK', 'READLINK'] as const) sftpStream.on(event, never)
  }

  #refuse(request: number, error: unknown): void {
    const { code, message } = this.#answerTo(error)
    writeToStderr(this.#sftp, code, message)
    this.#sftp.status(request, code, message)
  }

  #answerTo(error: unknown): { code: number; message: string } {
    if (error instanceof StatusError) return error
    const code = STATUS_CODE.FAILURE
    if (error instanceof FileRefused) return { code, message: error.message }
    if (error instanceof TooLarge) return { code, message: 'A file has at most 1 GB.' }
    this.#report(error)
    const full = isDiskFull(error) || (error as { code?: unknown } | null)?.code === 'ENOSPC'
    const message = full ? 'Nothing can be saved right now. Try again later.' : 'Something went wrong. Try again later.'
    return { code, message }
  }

  #keep(request: number, handle: Handle): void {
    const number = this.#next++
    this.#handles.set(number, handle)
    const name = Buffer.alloc(4)
    name.writeUInt32BE(number)
    this.#sftp.handle(request, name)
  }

  #handleOf(handle: Buffer): Handle {
    const found = handle.length === 4 ? this.#handles.get(handle.readUInt32BE(0)) : undefined
    if (!found) throw new StatusError(STATUS_CODE.FAILURE, 'This file is not open.')
    return found
  }

  /** Throws if the connection has the maximum number of open files. */
  #refuseOneMore(): void {
    const unnamed = [...this.#written.values()].filter(({ file }) => file).length
    if (this.#handles.size + unnamed >= maxOpen)
      throw new StatusError(STATUS_CODE.FAILURE, `At most ${maxOpen} files are open at once.`)
  }

  async #open(request: number, path: string, flags: number): Promise<void> {
    this.#refuseOneMore()
    if (!(flags & OPEN_MODE.WRITE)) {
      const file = (await this.#outgoing()).find(({ name }) => path === `${out}/${name}`)
      if (!file) throw noSuchFile()
      return this.#keep(request, { kind: 'read', content: await outgoingFile(this.#services, this.#person, file.id) })
    }
    const name = nameIn(path)
    await this.#judge(name)
    if (flags & OPEN_MODE.APPEND) throw denied('Files are written from their beginning.')
    if (!(await isUnchanged(this.#services, this.#person))) throw denied(accessRevoked)
    this.#keep(request, { kind: 'write', file: await this.#spool.begin(name) })
  }

  async #close(request: number, handle: Buffer): Promise<void> {
    const open = this.#handleOf(handle)
    this.#handles.delete(handle.readUInt32BE(0))
    if (open.kind === 'write') {
      const { file } = open
      if (!file.whole) {
        await file.close()
        throw new StatusError(STATUS_CODE.FAILURE, 'Not all of this file arrived. Put it again.')
      }
      await this.#keepAs(file.name, file, new Date())
    }
    this.#sftp.status(request, STATUS_CODE.OK)
  }

  /** Throws if no file of this name can be imported, and it is not a temporary name or a dropped one. */
  async #judge(name: string): Promise<void> {
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
