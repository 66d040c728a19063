import { atId } from '#contract/define.ts'
import { eventWords } from '#domain/employee-event.ts'
import { isolated } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { meAtom } from '#portal/api/session.ts'

/** Who last changed a record after version `since`, as a sentence; null if its history does not say. */
export async function lastChange(entity: AnyEntity, id: string, since: number): Promise<string | null> {
  if (!entity.events) return null
  try {
    const answer = (await apiClient.read(entity.events, atId(entity.events, id), { limit: '1' })) as {
      events?: { actor?: { id?: string; name?: string }; status?: string; version?: number }[]
    }
    const [event] = answer.events ?? []
    // An API whose events have no versions still says who was last.
    if (event?.version !== undefined && event.version <= since) return null
    if (event?.actor?.id === store.get(meAtom)?.person.id) return 'You changed this in another tab while you were editing.'
    if (!event?.actor?.name) return null
    const what = event.status ? ` (${eventWords(event.status)})` : ''
    return `${isolated(event.actor.name)}${what} changed this while you were editing.`
  } catch {
    return null
  }
}

/** The sentence if the history does not say who it was. */
export const somebodyChanged = 'Somebody changed this while you were editing.'
