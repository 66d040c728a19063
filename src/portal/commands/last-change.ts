import { atId } from '#contract/define.ts'
import { eventWords } from '#domain/employee-event.ts'
import { isolated } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { wire } from '#portal/api/client.ts'

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
