import { atom } from 'jotai/vanilla'
import { placeAtom } from '#portal/platform/location.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { entityByName, rowKindByName } from '#portal/platform/registry.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'
import { apiClient } from '#portal/api/client.ts'

/** One change of a record from its history. */
export interface RecordChange {
  by: string
  at: string
  what: string
  fields: readonly string[]
}

/** A change of the open record by somebody else: who, when and which fields. */
export interface RemoteChange {
  entity: string
  id: string
  changes: readonly RecordChange[]
}
export const elsewhereAtom = atom<RemoteChange | null>(null)

/**
 * Stores rows from a background fetch: a list or a refresh. An answer older than what a command of this tab stored in the
 * meantime is dropped. Notes when the open record was changed by somebody else. Returns the ids.
 */
export function receive(entity: string, rows: readonly unknown[]): string[] {
  const { id, version } = rowKindByName(entity)
  const open = store.get(placeAtom)
  const newer = rows.filter((row) => {
    const known = record(entity, id(row))
    if (known === undefined) return true
    if (open?.entity === entity && open.id === id(row) && version(row) > version(known))
      void noteRemoteChange(entity, id(row), version(known))
    // Without versions from the API, the order of answers is unknown.
    return !(version(row) < version(known))
  })
  upsertRecords(entity, newer)
  return rows.map(id)
}

/** Milliseconds between two refreshes of what is on screen. */
const freshEvery = 30_000

/** Calls `read` at intervals while the page is visible, and when it becomes visible. Returns the function that stops it. */
export function keepFresh(read: () => void, every = freshEvery): () => void {
  const again = () => {
    if (document.visibilityState === 'visible') read()
  }
  const timer = setInterval(again, every)
  addEventListener('focus', again)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', again)
  }
}

/** When a record was read in full, by `performance.now()`. */
const wholeSince = new WeakMap<object, number>()

let changedAt = -Infinity

/** The last entry of the history of this person that was added or changed: what was read before may have changed with it. */
export interface OwnChange {
  command: string
  /** Null for a command without a target, and for a run over several. */
  target: { entity: string; id: string } | null
}
export const ownChangeAtom = atom<OwnChange | null>(null)

/** Tells those who read that this person changed something. */
export function noteOwnChange(change: OwnChange | null): void {
  changedAt = performance.now()
  store.set(ownChangeAtom, change && { command: change.command, target: change.target })
}

/** Remembers that a record was just read in full, so that opening it does not fetch it again. */
export const readWhole = (record: unknown): void => void wholeSince.set(record as object, performance.now())

/** Whether a record was read in full within the last five seconds, without a change by this user since. */
export function isWhole(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false
  const since = wholeSince.get(record) ?? -Infinity
  return since > changedAt && performance.now() - since < 5_000
}

interface Events {
  events: readonly {
    at: string
    actor: { id: string; name: string }
    status: string
    version: number
    changes: readonly { field: string }[]
  }[]
}

async function noteRemoteChange(entity: string, id: string, since: number): Promise<void> {
  const { events } = entityByName(entity)
  if (!events || !store.get(capabilitiesAtom)(events)) return
  const me = store.get(meAtom)?.person.id
  try {
    const answer = (await apiClient.read(events, { id }, { limit: '10' }, { background: true })) as Events
    const changes = answer.events
      // Own changes are left out: a refresh may arrive before the answer of the user's own command.
      .filter((event) => event.version > since && event.actor.id !== me)
      .map(({ at, actor, status, changes }) => ({ by: actor.name, at, what: status, fields: changes.map(({ field }) => field) }))
    if (changes.length && store.get(placeAtom)?.id === id) store.set(elsewhereAtom, { entity, id, changes })
  } catch {
    // Only the notice is missing; the record itself is fresh.
  }
}

/** Removes the notice: it was read, or another record was opened. */
export const forgetElsewhere = (): void => store.set(elsewhereAtom, null)
