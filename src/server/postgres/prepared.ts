import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { isOutdated, isReadOnly } from '#server/postgres/away.ts'

const mark = '/* prepared */'
/** Maximum number of statements, since every connection keeps each of them. */
const maxStatements = 500
const names = new Map<string, string>()
/** Part of the names of statements; another one prepares all of them again, on every connection. */
let edition = 0

/**
 * Marks a statement to be prepared: planned once per connection instead of at every call. Use it only where one plan suits all
 * values: by id, by token, a page of a list without filters; and with a literal limit (`sql.lit`), since a plan for an unknown
 * limit expects a tenth of the table.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark)

function nameFor(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= maxStatements) return known
  const name = `p${edition}_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}

/** Gives up all names if the outdated statement has a current one: a migration usually concerns several. */
function renameStatements(outdated: string | undefined): void {
  if (!outdated?.startsWith(`p${edition}_`)) return
  edition += 1
  names.clear()
}

/**
 * A client that names marked statements, so that PostgreSQL keeps them prepared, and sends statements issued together as one
 * packet. Over TLS, which takes over the socket, each statement is a packet of its own.
 */
export class PreparingClient extends Client {
  readonly #socket: Socket
  /** Whether PostgreSQL refused a change here, as a primary does that has become a standby. */
  isReadOnly = false

  constructor(config: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on any form of the call
  override query(...args: any[]): any {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      // Runs after all synchronous work of this turn.
      process.nextTick(() => this.#socket.uncork())
    }
    const [text, values] = args
    const name = typeof text === 'string' && text.includes(mark) ? nameFor(text) : undefined
    if (name) args.splice(0, 2, { name, text, values })
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = (super.query as any)(...args)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        this.isReadOnly ||= isReadOnly(error)
        if (isOutdated(error)) renameStatements(name)
      })
    return answer
  }
}
