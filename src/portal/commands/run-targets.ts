import type { AnyEntity } from '#kernel/entity.ts'
import { readOne } from '#portal/records/read-one.ts'
import { putThings, thing } from '#portal/records/things.ts'

/** Reads one thing anew and puts it in where everything on screen has it. Throws `Refusal` or `Unanswered`. */
export async function readThing(entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await readOne(entity, id, signal ? { signal } : {})
  putThings(entity.name, [answer])
  return thing(entity.name, id) ?? answer
}

/** One thing as it is known, read where it is not. */
export const loadThing = async (entity: AnyEntity, id: string, signal?: AbortSignal): Promise<unknown> =>
  thing(entity.name, id) ?? readThing(entity, id, signal)

/** Several things in their order, six reads at a time. */
export async function loadThings(entity: AnyEntity, ids: readonly string[], signal?: AbortSignal): Promise<unknown[]> {
  const rows: unknown[] = new Array(ids.length)
  let next = 0
  const worker = async () => {
    while (next < ids.length) {
      const index = next++
      rows[index] = await loadThing(entity, ids[index] as string, signal)
    }
  }
  await Promise.all(Array.from({ length: Math.min(6, ids.length) }, worker))
  return rows
}
