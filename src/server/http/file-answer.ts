import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A file whose content is read only while it is sent; `size` is not known. */
class StreamedFile extends File {
  readonly #content: () => AsyncIterable<string>

  constructor(content: () => AsyncIterable<string>, name: string, type: string) {
    super([], name, { type })
    this.#content = content
  }

  /** The content as it is read. */
  read(): Readable {
    return Readable.from(this.#content(), { objectMode: false, encoding: 'utf8' })
  }
}

/** An answer that is a file, sent while `content` is read: for what is too large to be held. */
export const streamedFile = (content: () => AsyncIterable<string>, name: string, type: string): File =>
  new StreamedFile(content, name, type)

/** Sends a file to be saved under its name. */
export async function sendFile(reply: FastifyReply, status: number, file: File): Promise<FastifyReply> {
  reply
    .code(status)
    .header('content-type', file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type)
    .header('content-disposition', dispositionOf(file.name))
  return reply.send(file instanceof StreamedFile ? file.read() : Buffer.from(await file.arrayBuffer()))
}

/** `attachment` with a name that any system can keep, and the real one beside it where they differ (RFC 6266). */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '-').replace(/^\.+/, '') || 'file'
  const ascii = plain
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '-')
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"${ascii === plain ? '' : `; filename*=UTF-8''${encoded}`}`
}
