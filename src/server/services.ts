import type { Kysely } from 'kysely'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { RouteTable } from '#server/route-table.ts'
import type { Database } from '#server/tables/database.ts'

/** What one process of the server has, made once by whoever composes it. */
export interface Services {
  db: Kysely<Database>
  /** postgres:// address, for the queue's own connections. */
  databaseUrl: string
  auth: AuthSettings
  /** Signs cursors: `sealCursor(services.cursorSecret, ...)`. */
  cursorSecret: string
  routes: RouteTable
  /** Checks every answer against the contract. */
  checkAnswers: boolean
}
