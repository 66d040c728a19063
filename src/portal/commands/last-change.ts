import { atId } from '#contract/define.ts'
import { eventWords } from '#domain/employee-event.ts'
import { isolated } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { wire } from '#portal/api/client.ts'
import { store } from '#portal/app/store.ts'
import { meAtom } from '#portal/session/session.ts'

/** Who changed a thing last, after it had this version, and what they did, in words; null where its history tells of nobody. */
export async function lastChange(entity: AnyEntity, id: string, since: number): Promise<string | null> {
  if (!entity.events) return null
  try {
    const answer = (await wire.read(entity.events, atId(entity.events, id), { limit: '1' })) as {
      events?: { actor?: { id?: string; name?: string }; status?: string; version?: number }[]
    }
    const [event] = answer.events ?? []
    // An API without versions of events tells at least who was the last.
    if (event?.version !== undefined && event.version <= since) return null
    if (event?.actor?.id === store.get(meAtom)?.person.id) return 'You'
    return event?.actor?.name ? `${isolated(event.actor.name)}${event.status ? ` (${eventWords(event.status)})` : ''}` : null
  } catch {
    return null
  }
}
