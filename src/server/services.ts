import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { RouteTable } from '#server/route-table.ts'
import type { Database } from '#server/tables/database.ts'

/** Connections apart from those of requests. */
export interface Background {
  db: Kysely<Database>
  pool: Pool
}

/** What one process of the server has, made once by whoever composes it. */
export interface Services {
  db: Kysely<Database>
  /** For work that nobody waits for in front of a screen, and that may take longer: runs, exports, the clock. */
  background: Background
  auth: AuthSettings
  /** Signs cursors: `sealCursor(services.cursorSecret, ...)`. */
  cursorSecret: string
  routes: RouteTable
  /** Milliseconds after which a request is answered with 503, whatever it waits for. */
  answerWithin: number
  /** Checks every answer against the contract. */
  checkAnswers: boolean
}
