import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Stop } from '#terminal/stop.ts'

/** The streams of a run: results go to standard output, everything else to standard error. */
export interface Streams {
  /** Prints a result. */
  print(line: string): void
  /** Prints a note, a warning or a reason. */
  note(line: string): void
  /** Whether a person can be asked. */
  isInteractive: boolean
  /** Number of columns of the terminal that results are printed to; null for a file or a pipe. */
  width: number | null
  /** Prints the heading of a result, highlighted where colors are wanted. */
  heading(line: string): void
  ask(question: string): Promise<string>
  /** Asks without showing what is typed. */
  askHidden(question: string): Promise<string>
  /** Everything on standard input. */
  readAll(): Promise<string>
}

/** Control characters of answers would act on the terminal that they are printed to. */
const printable = (line: string): string => line.replace(/[^\P{Cc}\t\n]/gu, '')

const nothingSent = (): Stop => new Stop('interrupted', 'Nothing was sent.')

/** Asks for a line; the terminal itself shows and edits it. */
async function lineFrom(asked: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(asked)
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    for await (const line of lines) return line
    throw nothingSent()
  } finally {
    lines.close()
  }
}

/** Asks for a line that is not shown. In raw mode the terminal neither shows nor edits: Backspace and Ctrl+C are handled here. */
function hiddenLineFrom(asked: string): Promise<string> {
  const { stdin, stderr } = process
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed = ''
  const receiveKey = (key: string): void => {
    if (key === '\r' || key === '\n') resolve(typed)
    else if (key === '\u0003' || key === '\u0004') reject(nothingSent())
    else if (key === '\u007f' || key === '\b') typed = [...typed].slice(0, -1).join('')
    else if (key >= ' ') typed += key
  }
  const receive = (chunk: Buffer | string): void => [...String(chunk)].forEach(receiveKey)
  stdin.setRawMode(true)
  stderr.write(asked)
  stdin.on('data', receive).resume()
  return promise.finally(() => {
    stdin.off('data', receive).pause()
    stdin.setRawMode(false)
    stderr.write('\n')
  })
}

/** The streams of this process. */
export function processStreams(): Streams {
  const { stdin, stdout, stderr, env } = process
  // `portal invoices | head` is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const colored = stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    print: (line) => void stdout.write(`${printable(line)}\n`),
    note: (line) => void stderr.write(`${printable(line)}\n`),
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    width: stdout.isTTY ? stdout.columns : null,
    heading: (line) => void stdout.write(colored ? `\u001b[1m${printable(line)}\u001b[22m\n` : `${printable(line)}\n`),
    ask: lineFrom,
    askHidden: hiddenLineFrom,
    readAll: () => text(stdin),
  }
}
