import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A file whose content is streamed while it is sent; its `size` is unknown. */
class StreamedFile extends File {
  readonly #content: () => AsyncIterable<string>

  constructor(content: () => AsyncIterable<string>, name: string, type: string) {
    super([], name, { type })
    this.#content = content
  }

  /** The content as a stream. */
  read(): Readable {
    return Readable.from(this.#content(), { objectMode: false, encoding: 'utf8' })
  }
}

/** A file answer that streams `content`: for files too large for memory. */
export const streamedFile = (content: () => AsyncIterable<string>, name: string, type: string): File =>
  new StreamedFile(content, name, type)

/** Sends a file as a download with its name. */
export async function sendFile(reply: FastifyReply, status: number, file: File): Promise<FastifyReply> {
  reply
    .code(status)
    .header('content-type', file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type)
    .header('content-disposition', dispositionOf(file.name))
  return reply.send(file instanceof StreamedFile ? file.read() : Buffer.from(await file.arrayBuffer()))
}

/** `attachment` with a file name that is safe on any system, plus the real name where it differs (RFC 6266). */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '-').replace(/^\.+/, '') || 'file'
  const ascii = plain
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '-')
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"${ascii === plain ? '' : `; filename*=UTF-8''${encoded}`}`
}
