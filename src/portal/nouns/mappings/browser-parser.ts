import { parse } from 'csv-parse/browser/esm'
import type { CsvParser } from '#domain/csv-lines.ts'
import type { FileParts } from '#domain/file-reading.ts'

/**
 * The library that takes a text apart on the server, by its entrance for browsers. That brings a buffer of its own, and reads
 * nothing else: text it would turn into bytes sign by sign, for most of the time that reading takes.
 */
export const browserParser: FileParts['parser'] = (options) => {
  const parser = parse(options)
  // It takes bytes in its own buffer only, and gives that out in nothing but its options.
  const [separator] = parser.options.delimiter as unknown as [Uint8Array]
  const own = separator.constructor as unknown as { from: (bytes: ArrayBufferLike) => Uint8Array }
  const write = parser.write.bind(parser) as (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean
  return Object.assign(parser as unknown as CsvParser, {
    // Of a part of a buffer the whole buffer would be taken.
    write: (bytes: Uint8Array, done: (error?: Error | null) => void) => write(own.from(bytes.slice().buffer), done),
  })
}
