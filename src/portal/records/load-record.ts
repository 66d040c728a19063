import type { AnyEntity } from '#kernel/entity.ts'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'

/** Reads one record again and puts it into the entity store. Throws `Refusal` or `Unanswered`. */
export async function readRecord(entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await readOne(entity, id, signal ? { signal } : {})
  upsertRecords(entity.name, [answer])
  return record(entity.name, id) ?? answer
}

/** A record from the entity store, fetched if it is missing. */
export const loadRecord = async (entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> =>
  record(entity.name, id) ?? readRecord(entity, id, signal)

/** Several records in their order, fetched if missing; six reads at a time. */
export const loadRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  mapLimited(ids, (id) => loadRecord(entity, id, signal))

/**
 * Reads several records in their order, six at a time, so that counts and sums are current. A known record that is out of reach
 * by now keeps its last version, so that the run can name it.
 */
export const readRecords = (entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> =>
  mapLimited(ids, async (id) => {
    try {
      return await readRecord(entity, id, signal)
    } catch (error) {
      const known = isOutOfReach(error) ? record(entity.name, id) : undefined
      if (known === undefined) throw error
      return known
    }
  })

async function mapLimited(ids: readonly string[], read: (id: string) => Promise<unknown>): Promise<unknown[]> {
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
