import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { largestFile } from '#domain/import.ts'

/** Thrown when a file exceeds the maximum size. */
export class TooLarge extends Error {}

/** A written part of a file, as offsets: from `from` up to but not including `to`. */
interface Part {
  from: number
  to: number
}

/** Maximum number of separate parts: clients write a file in order, with some requests in flight. */
const maxParts = 1_000

/** The parts in order after another one was written; adjacent ones are merged. */
function withPart(parts: readonly Part[], { from, to }: Part): Part[] {
  const touching = parts.filter((part) => part.from <= to && part.to >= from)
  return [
    ...parts.filter((part) => part.to < from),
    { from: Math.min(from, ...touching.map((part) => part.from)), to: Math.max(to, ...touching.map((part) => part.to)) },
    ...parts.filter((part) => part.from > to),
  ]
}

/** A file that is being written: outside of the database until it is complete, and deleted with the connection. */
export class SpooledFile {
  readonly name: string
  readonly #path: string
  readonly #file: FileHandle
  size = 0
  #parts: readonly Part[] = []
  #failed = false

  constructor(name: string, path: string, file: FileHandle) {
    this.name = name
    this.#path = path
    this.#file = file
  }

  /** Writes bytes at an offset. Throws `TooLarge`, and errors of the disk. */
  async write(data: Buffer, at: number): Promise<void> {
    try {
      if (at + data.length > largestFile) throw new TooLarge()
      for (let done = 0; done < data.length; )
        done += (await this.#file.write(data, done, data.length - done, at + done)).bytesWritten
    } catch (error) {
      this.#failed = true
      throw error
    }
    if (data.length > 0) this.#parts = withPart(this.#parts, { from: at, to: at + data.length })
    if (this.#parts.length > maxParts) this.#failed = true
    this.size = Math.max(this.size, at + data.length)
  }

  /** Notes that the client sets the size of the file, which is then not imported. At 0 before the first byte it changes nothing. */
  cutAt(size: number): void {
    if (size > 0 || this.size > 0) this.#failed = true
  }

  /** Whether the file is complete: nothing was refused, no part is missing, and it was not cut. */
  get whole(): boolean {
    const [first, ...others] = this.#parts
    return !this.#failed && others.length === 0 && (first?.from ?? 0) === 0
  }

  /** Its bytes, from the start. */
  content(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#path, { highWaterMark: 1024 * 1024 })
  }

  async close(): Promise<void> {
    await this.#file.close().catch(() => undefined)
    await rm(this.#path, { force: true })
  }
}

/** The folder of one connection for files that are being written. */
export class Spool {
  #folder: Promise<string> | null = null

  /** Creates a file. */
  async begin(name: string): Promise<SpooledFile> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'admin-portal-sftp-'))
    const path = join(await this.#folder, randomUUID())
    return new SpooledFile(name, path, await open(path, 'wx', 0o600))
  }

  async end(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }
}
