import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { Client } from 'pg'

const mark = '/* prepared */'
/** Maximum number of statements, since every connection keeps each of them. */
const maxStatements = 500
const names = new Map<string, string>()

/**
 * Marks a statement to be prepared: planned once per connection instead of at every call. Use it only where one plan suits all
 * values: by id, by token, a page of a list without filters; and with a literal limit (`sql.lit`), since a plan for an unknown
 * limit expects a tenth of the table.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark)

function nameFor(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= maxStatements) return known
  const name = `p_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}

/**
 * A client that names marked statements, so that PostgreSQL keeps them prepared, and sends statements issued together as one
 * packet.
 */
export class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: passes on any form of the call
  override query(...args: any[]): any {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    if (stream.writableCorked === 0) {
      stream.cork()
      // Runs after all synchronous work of this turn.
      process.nextTick(() => stream.uncork())
    }
    const [text, values] = args
    if (typeof text === 'string' && text.includes(mark)) {
      const name = nameFor(text)
      if (name) args.splice(0, 2, { name, text, values })
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return (super.query as any)(...args)
  }
}
