import { parse } from 'csv-parse'
import { Parser } from 'csv-parse/browser/esm'
import { expect, test, vi } from 'vitest'
import { Unreadable } from '#domain/file-text.ts'
import { type FileParts, readLines } from '#domain/file-reading.ts'
import { visibleSheet } from '#domain/workbook-sheets.ts'
import { browserParser } from '#portal/nouns/mappings/browser-parser.ts'

const serverParser: FileParts['parser'] = (options) => parse(options) as unknown as ReturnType<FileParts['parser']>

/** The lines of a text with their numbers, read in chunks of some bytes; at most `most` of them. */
async function read(parser: FileParts['parser'], text: string, size = 65_536, max = Number.POSITIVE_INFINITY) {
  const bytes = new TextEncoder().encode(text)
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const lines: [number, ...string[]][] = []
  await readLines(
    { name: 'acme_ee.csv', chunks, parser, sheet: async () => ({ lines: [], notes: visibleSheet({}) }) },
    (cells, line) => lines.push([line, ...cells]) < max,
    ({ line, message }, cells) => lines.push([line, message, ...cells]),
  )
  return lines
}

test('the browser splits a text into the same lines as the server, also within a character', async () => {
  const text = 'Name;Städte\r\n"Zoë ""Z"" 🙂";Köln\n"a\r\nb";\r東京;x\nRobert "Bob" Ö;1\nAnn";2\n"Zoë"x;3\n'
  for (const size of [1, 2, 3, 64]) expect(await read(browserParser, text, size)).toEqual(await read(serverParser, text))
})

test('in the browser, reading ends where no line is wanted, and where none can be found', async () => {
  const text = 'Code,Name\nE1,Ada\nE2,Grace\nE3,Joan\n'
  for (const size of [4, 65_536])
    expect(await read(browserParser, text, size, 2)).toEqual([
      [1, 'Code', 'Name'],
      [2, 'E1', 'Ada'],
    ])
  const unbalancedQuotes = ['Code,Name\n"E1,Ada\n"x,E2\nE3,Joan\n', `Code,Name\n"${'E1,Ada\n'.repeat(20_000)}`]
  const failed = (parser: FileParts['parser'], of: string) => read(parser, of).catch((error) => error)
  for (const each of unbalancedQuotes) {
    expect(await failed(browserParser, each)).toBeInstanceOf(Unreadable)
    expect(await failed(browserParser, each)).toEqual(await failed(serverParser, each))
  }
})

// Text would be encoded character by character, for two thirds of the reading time.
test('and is passed to the library as bytes', async () => {
  const write = vi.spyOn(Parser.prototype, 'write')
  await read(browserParser, 'Code,Status\n"E1",Active\n', 10)
  expect(write.mock.calls.map(([given]) => (given as unknown) instanceof Uint8Array)).not.toContain(false)
  expect(write).toHaveBeenCalled()
  write.mockRestore()
})
