import { atId } from '#contract/define.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { eventWords } from '#domain/employee-event.ts'
import { readOne } from '#portal/records/read-one.ts'
import { putThings, thing } from '#portal/records/things.ts'
import { wire } from '#portal/api/client.ts'
import { isolated } from '#domain/text.ts'

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

/** Who changed a thing last and what they did, in words; null where the API does not tell. */
export async function lastChange(entity: AnyEntity, id: string): Promise<string | null> {
  if (!entity.events) return null
  try {
    const answer = (await wire.read(entity.events, atId(entity.events, id), { limit: '1' })) as {
      events?: { actor?: { name?: string }; status?: string }[]
    }
    const [event] = answer.events ?? []
    return event?.actor?.name ? `${isolated(event.actor.name)}${event.status ? ` (${eventWords(event.status)})` : ''}` : null
  } catch {
    return null
  }
}
