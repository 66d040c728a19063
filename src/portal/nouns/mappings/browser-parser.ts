import { parse } from 'csv-parse/browser/esm'
import type { CsvParser, FileParts } from '#domain/file-reading.ts'

const encoder = new TextEncoder()

/**
 * The library that takes a text apart on the server, by its entrance for browsers. That brings a buffer of its own, which turns
 * a text into bytes sign by sign, for most of the time that reading takes; the browser does it at once, so it is handed bytes.
 */
export const browserParser: FileParts['parser'] = (options) => {
  const parser = parse(options)
  // It takes bytes in its own buffer only, and gives that out in nothing but its options.
  const [separator] = parser.options.delimiter as unknown as [Uint8Array]
  const own = separator.constructor as unknown as { from: (bytes: ArrayBufferLike) => Uint8Array }
  const write = parser.write.bind(parser) as (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean
  return Object.assign(parser as unknown as CsvParser, {
    write: (text: string, done: (error?: Error | null) => void) => write(own.from(encoder.encode(text).buffer), done),
    // The streams of that entrance are older than it, and hold nothing that would have to be let go.
    destroy: () => undefined,
  })
}
