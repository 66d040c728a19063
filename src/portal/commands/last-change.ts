import { atId } from '#contract/define.ts'
import { eventWords } from '#domain/employee-event.ts'
import { isolated } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { meAtom } from '#portal/api/session.ts'

/** Who changed a thing last, after it had this version, as a sentence; null where its history tells of nobody. */
export async function lastChange(entity: AnyEntity, id: string, since: number): Promise<string | null> {
  if (!entity.events) return null
  try {
    const answer = (await apiClient.read(entity.events, atId(entity.events, id), { limit: '1' })) as {
      events?: { actor?: { id?: string; name?: string }; status?: string; version?: number }[]
    }
    const [event] = answer.events ?? []
    // An API without versions of events tells at least who was the last.
    if (event?.version !== undefined && event.version <= since) return null
    if (event?.actor?.id === store.get(meAtom)?.person.id) return 'You changed this in another tab while you were editing.'
    if (!event?.actor?.name) return null
    const what = event.status ? ` (${eventWords(event.status)})` : ''
    return `${isolated(event.actor.name)}${what} changed this while you were editing.`
  } catch {
    return null
  }
}

/** The same where its history tells of nobody. */
export const somebodyChanged = 'Somebody changed this while you were editing.'
