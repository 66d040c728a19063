import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isAway } from '#server/postgres/away.ts'
import { type Connection, connectTo, type OpenPool } from '#server/postgres/connect.ts'
import { readAddress } from '#server/postgres/hosts.ts'
import { onOneConnection } from '#server/postgres/transaction.ts'
import type { Database, Tx } from '#server/tables/database.ts'

/** A position in the write-ahead log, `16/B374D848`. */
export type Position = string

/** Milliseconds between two questions whether a replica has caught up, and how often it is asked. */
const askAgainAfter = 4
const maxQuestions = 4
/** Milliseconds for which a replica that failed is not asked. */
const restAfterFailure = 5_000

interface Replica extends OpenPool {
  restsUntil: number
}

/** Standbys that answer reads in place of the primary. */
export interface Replicas {
  /** Number of reads by where they were answered. */
  readonly reads: { replica: number; primary: number }
  /**
   * Runs `read` on a replica that has everything up to `position`; null if there is none, so that the primary is read. Throws
   * what `read` throws, except for failures of the replica itself.
   */
  read: <T>(position: Position, read: (tx: Tx) => Promise<T>) => Promise<{ answer: T } | null>
  end: () => Promise<void>
}

/**
 * Opens pools to all hosts of READ_DATABASE_URL, which need not be reachable. A replica is used only if it has replayed what the
 * primary had when the caller was identified there: nobody misses their own change, or sees by a right that was taken away. Pools
 * with other timeouts to the same hosts share the counters `reads`.
 */
export function openReplicas(
  connection: Connection & { url: string },
  reads: Replicas['reads'] = { replica: 0, primary: 0 },
): Replicas {
  const { url, hosts } = readAddress(connection.url, 'reads')
  const urls = hosts.length > 0 ? hosts.map(({ host, port }) => withHost(url, host, port)) : [url]
  const replicas: Replica[] = urls.map((each) => ({ ...connectTo({ ...connection, url: each }), restsUntil: 0 }))
  let turn = 0
  return {
    reads,
    read: async (position, read) => {
      for (let asked = 0; asked < replicas.length; asked += 1) {
        turn = (turn + 1) % replicas.length
        const replica = replicas[turn] as Replica
        if (Date.now() < replica.restsUntil) continue
        try {
          const found = await onOneConnection(replica.db, async (tx) =>
            (await hasReplayed(tx, position)) ? { answer: await read(tx) } : null,
          )
          if (found) {
            reads.replica += 1
            return found
          }
        } catch (error) {
          // Also a read that conflicts with what is replayed (40001), or that writes after all.
          if (!isAway(error)) throw error
          replica.restsUntil = Date.now() + restAfterFailure
        }
      }
      reads.primary += 1
      return null
    },
    end: async () => void (await Promise.all(replicas.map(({ end }) => end()))),
  }
}

function withHost(address: string, host: string, port: number): string {
  const url = new URL(address)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.href
}

/** Whether a standby has replayed everything up to a position, or does within some milliseconds. A primary never has. */
async function hasReplayed(tx: Tx, position: Position): Promise<boolean> {
  for (let asked = 1; ; asked += 1) {
    const { rows } = await sql<{ is_current: boolean }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn as is_current`.execute(tx)
    if (rows[0]?.is_current) return true
    if (asked === maxQuestions) return false
    await sleep(askAgainAfter)
  }
}

/**
 * The position up to which everything visible on the primary is in its write-ahead log. Commits are flushed before they are
 * visible, unless the database is set to acknowledge them earlier.
 */
export async function positionOf(db: Kysely<Database>): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text
      as position`.execute(db)
  return (rows[0] as { position: Position }).position
}
