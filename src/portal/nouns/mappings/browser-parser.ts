import { parse } from 'csv-parse/browser/esm'
import type { CsvParser, FileParts } from '#domain/file-reading.ts'

const encoder = new TextEncoder()

/**
 * The CSV library that the server uses, in its browser build. Its bundled Buffer converts text to bytes character by character,
 * which would take most of the parsing time; TextEncoder does it at once, so the parser is given bytes.
 */
export const browserParser: FileParts['parser'] = (options) => {
  const parser = parse(options)
  // The parser accepts only its own Buffer class, which is only reachable through its options.
  const [separator] = parser.options.delimiter as unknown as [Uint8Array]
  const own = separator.constructor as unknown as { from: (bytes: ArrayBufferLike) => Uint8Array }
  const write = parser.write.bind(parser) as (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean
  return Object.assign(parser as unknown as CsvParser, {
    write: (text: string, done: (error?: Error | null) => void) => write(own.from(encoder.encode(text).buffer), done),
    // The bundled streams are older than `destroy`, and hold nothing to release.
    destroy: () => undefined,
  })
}
