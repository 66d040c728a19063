import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** Number of processes that may die while importing a file before it fails instead of being retried. */
const maxTries = 3

/** Message for a file that is not retried any more. */
export const tooManyTries =
  'The server stopped three times while it imported this file, so it is not started again. Nothing was changed. Check the file, or send it in parts.'

/** Files whose attempts must be taken back once the database is available again. */
const pendingTakeBacks = new Set<number>()

/** An import attempt; `takeBack` notes, once, that the process did not die of it. */
export interface Attempt {
  spent: boolean
  takeBack: () => Promise<void>
}

/**
 * Counts an attempt before anything of a file is read: if the process dies of it, nobody else could count it. Null if the file is
 * no longer pending.
 */
export async function beginTry(db: Kysely<Database>, id: number): Promise<Attempt | null> {
  const { rows } = await sql<{ spent: boolean }>`update imports set tries = tries + 1 where id = ${id} and status = 'PENDING'
    returning tries > ${maxTries} as spent`.execute(db)
  const [attempt] = rows
  if (!attempt) return null
  let counts = true
  const takeBack = async (): Promise<void> => {
    if (!counts) return
    counts = false
    pendingTakeBacks.add(id)
    await takeBackOwed(db).catch(() => undefined)
  }
  return { spent: attempt.spent, takeBack }
}

/** Takes back the attempts that could not be while the database was unavailable. */
export async function takeBackOwed(db: Kysely<Database>): Promise<void> {
  for (const id of pendingTakeBacks) {
    await sql`update imports set tries = greatest(tries - 1, 0) where id = ${id}`.execute(db)
    pendingTakeBacks.delete(id)
  }
}
