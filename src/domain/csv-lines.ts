import { csvFault, csvOptions, type QuoteFault, quoteFault, type Unreadable } from '#domain/file-text.ts'

/** What takes a text apart into records: the library is the same in the browser and on the server, its entrance is not. */
export interface CsvParser {
  /** The bytes of text in UTF-8. */
  write(bytes: Uint8Array, done: (error?: Error | null) => void): unknown
  end(): unknown
  resume(): unknown
  on(event: 'error', listen: (error: Error) => void): unknown
  on(event: 'end', listen: () => void): unknown
}

/** Gets a record, and how many bytes came up to its end. */
type OnRecord = (cells: string[], at: { bytes: number }) => null

/** Makes one, which tells of each record before it reads on: what is told later is lost with an error. */
export type MakeParser = (options: ReturnType<typeof csvOptions> & { on_record: OnRecord }) => CsvParser

/** Gets the cells of a line and its number, counted from 1; answers false where no further one is wanted. */
export type OnLine = (cells: string[], line: number) => boolean

/** Gets what is wrong with a line that cannot be taken apart, and its cells as far as they can be told. */
export type OnBroken = (fault: Unreadable, cells: string[]) => void

/**
 * A quote that is never closed takes the lines below it along, which are read again. In a file that was made for it each line
 * takes all the others along, so of more bytes than these the file is refused; making another parser counts as some.
 */
const mostReadAgain = 10_000_000
const parserCosts = 1_000

const breaks = /\r\n|[\n\r]/g
const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => (/[\n\r]/.test(cell) ? sum + (cell.match(breaks)?.length ?? 0) : sum), 0)

const utf8 = new TextEncoder()
const text = new TextDecoder()
const [lf, cr] = [0x0a, 0x0d]

/** Behind the first line of the bytes; -1 where it does not end in them. */
function behindLine(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte === lf || byte === cr)
  if (at < 0 || at + 1 === bytes.length) return -1
  return bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : at + 1
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** Why a parser was told to read no further. */
class Stop extends Error {
  readonly fault: QuoteFault | null
  /** How many bytes the record has. */
  readonly size: number
  constructor(fault: QuoteFault | null, size: number) {
    super()
    this.fault = fault
    this.size = size
  }
}

/** The cells of a line whose quotes say nothing. */
const cellsOf = (line: Uint8Array, separator: string): string[] =>
  text
    .decode(line)
    .replace(/[\n\r]+$/, '')
    .split(separator)
    .map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'))

/**
 * Takes the lines of a text apart, one after the other, in bounded memory. A line whose quotes are not in order is told and left
 * out, and the one below it is read as if nothing had been before. Throws `Unreadable` where that is the first line, or where
 * it is not known where the next one begins.
 */
export class CsvReader {
  readonly #separator: string
  readonly #makeParser: MakeParser
  readonly #onLine: OnLine
  readonly #onBroken: OnBroken
  #parser: CsvParser
  #failed: Error | null = null
  #wanted = true
  #readAgain = 0
  /** Of the record that comes next. */
  #line = 1
  /** What may have to be read again: the bytes from the beginning of that record. */
  #kept: Uint8Array = new Uint8Array()
  /** How many bytes the parser had before them. */
  #before = 0
  /** And before the record that comes next. */
  #told = 0

  constructor(separator: string, makeParser: MakeParser, onLine: OnLine, onBroken: OnBroken) {
    this.#separator = separator
    this.#makeParser = makeParser
    this.#onLine = onLine
    this.#onBroken = onBroken
    this.#parser = this.#begin()
  }

  #begin(): CsvParser {
    this.#failed = null
    this.#before = 0
    this.#told = 0
    const made = this.#makeParser({ ...csvOptions(this.#separator), on_record: (cells, { bytes }) => this.#take(cells, bytes) })
    made.on('error', (error) => {
      if (made === this.#parser) this.#failed ??= error
    })
    // Nothing comes out of it, and without a reader it would not end.
    made.resume()
    return made
  }

  #take(cells: string[], upTo: number): null {
    try {
      const bytes = this.#kept.subarray(this.#told - this.#before, upTo - this.#before)
      const fault = quoteFault(cells, () => text.decode(bytes))
      const inside = breaksIn(cells)
      // Of a line of its own the next one is known; what went over several may have been several.
      if (fault && (inside > 0 || this.#line === 1)) throw new Stop(fault, bytes.length)
      if (fault) this.#tell(fault, bytes)
      else this.#wanted = this.#onLine(cells, this.#line)
      this.#line += 1 + inside
      this.#told = upTo
      if (!this.#wanted) throw new Stop(null, bytes.length)
    } catch (error) {
      this.#failed = error as Error
      throw error
    }
    return null
  }

  #tell({ code, column }: QuoteFault, line: Uint8Array): void {
    this.#onBroken(csvFault(code, this.#line, column), cellsOf(line, this.#separator))
  }

  /** Reads some more; answers whether more is wanted. */
  async read(more: string): Promise<boolean> {
    const bytes = utf8.encode(more)
    this.#kept = joined(this.#kept.subarray(this.#told - this.#before), bytes)
    this.#before = this.#told
    await this.#through(bytes, false)
    return this.#wanted
  }

  /** Reads what is left, now that nothing more comes. */
  async end(): Promise<void> {
    await this.#through(new Uint8Array(), true)
  }

  async #through(bytes: Uint8Array, last: boolean): Promise<void> {
    await this.#write(bytes, last)
    while (this.#failed && this.#wanted) {
      const fault = this.#faultOf(this.#failed)
      const record = this.#kept.subarray(this.#told - this.#before)
      this.#readAgain += parserCosts + (this.#failed instanceof Stop ? this.#failed.size : record.length)
      const next = behindLine(record)
      const known = this.#line > 1 && this.#readAgain <= mostReadAgain && (next >= 0 || last)
      if (!known) throw csvFault(fault.code, this.#line, fault.column)
      this.#tell(fault, next < 0 ? record : record.subarray(0, next))
      this.#line += 1
      if (next < 0) return
      this.#kept = record.subarray(next)
      this.#parser = this.#begin()
      await this.#write(this.#kept, last)
    }
  }

  #faultOf(error: Error): QuoteFault {
    if (error instanceof Stop && error.fault) return error.fault
    const { code, column } = error as { code?: unknown; column?: unknown }
    if (typeof code !== 'string') throw error
    return { code, column: typeof column === 'number' ? column + 1 : null }
  }

  async #write(bytes: Uint8Array, last: boolean): Promise<void> {
    const parser = this.#parser
    if (bytes.length > 0)
      await new Promise<void>((resolve) =>
        parser.write(bytes, (error) => {
          // It is said here before it is told.
          if (error) this.#failed ??= error
          resolve()
        }),
      )
    if (last && !this.#failed) {
      const ended = new Promise<void>((resolve) => {
        parser.on('end', resolve)
        parser.on('error', () => resolve())
      })
      parser.end()
      await ended
    }
  }
}
