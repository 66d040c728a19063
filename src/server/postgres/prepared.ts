import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { Client } from 'pg'

const mark = '/* prepared */'
/** Each is kept by every connection, so their number has an end. */
const maxStatements = 500
const names = new Map<string, string>()

/**
 * Put into a statement, it is planned once a connection instead of at every call. Only where one plan is good for all
 * values: by id, by token, a page of a list without filters; and with the limit written out (`sql.lit`), since a plan
 * for an unknown limit expects a tenth of the table.
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
 * A connection that gives marked statements a name, by which PostgreSQL keeps them, and sends what is issued in one go
 * as one packet.
 */
export class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever way of calling it was
  override query(...args: any[]): any {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    if (stream.writableCorked === 0) {
      stream.cork()
      // Comes when everything is done that could be done without an answer.
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
