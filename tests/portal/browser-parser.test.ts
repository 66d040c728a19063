import { parse } from 'csv-parse'
import { Parser } from 'csv-parse/browser/esm'
import { expect, test, vi } from 'vitest'
import { type FileParts, readLines } from '#domain/file-reading.ts'
import { browserParser } from '#portal/nouns/mappings/browser-parser.ts'

const serverParser: FileParts['parser'] = (options) => parse(options) as unknown as ReturnType<FileParts['parser']>

/** The lines of a text with their numbers, in pieces of some bytes. */
async function read(parser: FileParts['parser'], text: string, size = 65_536) {
  const bytes = new TextEncoder().encode(text)
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const lines: [number, ...string[]][] = []
  await readLines(
    { name: 'acme_ee.csv', chunks, parser, sheet: async () => [] },
    (cells, line) => lines.push([line, ...cells]) > 0,
    ({ line, message }, cells) => lines.push([line, message, ...cells]),
  )
  return lines
}

test('in the browser a text is taken apart into what the server has, also in the middle of a sign', async () => {
  const text = 'Name;Städte\r\n"Zoë ""Z"" 🙂";Köln\n"a\r\nb";\r東京;x\nRobert "Bob" Ö;1\nAnn";2\n"Zoë"x;3\n'
  for (const size of [1, 2, 3, 64]) expect(await read(browserParser, text, size)).toEqual(await read(serverParser, text))
})

// Text would be turned into bytes sign by sign, for two thirds of the time that reading takes.
test('and is handed to the library as bytes', async () => {
  const write = vi.spyOn(Parser.prototype, 'write')
  await read(browserParser, 'Code,Status\n"E1",Active\n', 10)
  expect(write.mock.calls.map(([given]) => (given as unknown) instanceof Uint8Array)).not.toContain(false)
  expect(write).toHaveBeenCalled()
  write.mockRestore()
})
