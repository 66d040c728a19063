import type { AnyEntity } from '#kernel/entity.ts'
import { inParallel } from '#kernel/in-parallel.ts'
import { receive } from '#portal/records/freshness.ts'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'

/** Reads one record again and puts it into the entity store. Throws `Refusal` or `Unanswered`. */
export async function readRecord(entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await readOne(entity, id, signal ? { signal } : {})
  upsertRecords(entity.name, [answer])
  return record(entity.name, id) ?? answer
}

/** Reads one record in the background, which does not extend the session; an answer older than the known version is dropped. */
export const refreshRecord = async (entity: AnyEntity, id: string, signal: AbortSignal): Promise<void> =>
  void receive(entity.name, [await readOne(entity, id, { background: true, signal })])

/** A record from the entity store, fetched if it is missing. */
export const loadRecord = async (entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> =>
  record(entity.name, id) ?? readRecord(entity, id, signal)

/** Number of records that are read in parallel. */
const maxReads = 6

/** Several records in their order, fetched if missing. */
export const loadRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  inParallel(ids, maxReads, (id) => loadRecord(entity, id, signal))

/**
 * Reads several records in their order, so that counts and sums are current. A known record that is out of reach
 * by now keeps its last version, so that the run can name it.
 */
export const readRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  inParallel(ids, maxReads, async (id) => {
    try {
      return await readRecord(entity, id, signal)
    } catch (error) {
      const known = isOutOfReach(error) ? record(entity.name, id) : undefined
      if (known === undefined) throw error
      return known
    }
  })
