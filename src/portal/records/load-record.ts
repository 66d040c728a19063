import type { AnyEntity } from '#kernel/entity.ts'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'

/** Reads one thing anew and puts it in where everything on screen has it. Throws `Refusal` or `Unanswered`. */
export async function readRecord(entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await readOne(entity, id, signal ? { signal } : {})
  upsertRecords(entity.name, [answer])
  return record(entity.name, id) ?? answer
}

/** One thing as it is known, read where it is not. */
export const loadRecord = async (entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> =>
  record(entity.name, id) ?? readRecord(entity, id, signal)

/** Several things in their order, as they are known, read where they are not; six reads at a time. */
export const loadRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  inTurns(ids, (id) => loadRecord(entity, id, signal))

/**
 * Several things in their order, each read anew, six at a time: what is counted and summed has to be as it is now. One that
 * is known and out of reach by now stays as it was known, for the run to say so by its name.
 */
export const readRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  inTurns(ids, async (id) => {
    try {
      return await readRecord(entity, id, signal)
    } catch (error) {
      const known = isOutOfReach(error) ? record(entity.name, id) : undefined
      if (known === undefined) throw error
      return known
    }
  })

async function inTurns(ids: readonly string[], read: (id: string) => Promise<unknown>): Promise<unknown[]> {
  const rows: unknown[] = new Array(ids.length)
  let next = 0
  const worker = async () => {
    while (next < ids.length) {
      const index = next++
      rows[index] = await read(ids[index] as string)
    }
  }
  await Promise.all(Array.from({ length: Math.min(6, ids.length) }, worker))
  return rows
}
