import { type Findable, findable } from '#kernel/findable.ts'
import { type Finder, finder } from '#kernel/rank.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { entities } from '#portal/platform/registry.ts'
import { recentAtom } from '#portal/records/recent.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { dropRecords, knownRecords, record } from '#portal/records/entity-store.ts'
import { whenIdle } from '#portal/platform/when-idle.ts'

/** A record that can be found without the API. */
export interface Local {
  id: string
  /** Undefined for a recently opened record of which only the title is stored. */
  record: unknown
  title: string
  subtitle: string
}

/** Maximum number of records of a noun searched per keystroke. */
const maxScanned = 10_000
/** Maximum number of rows of the API cached for the next keystrokes. */
const remembered = 1_000

/** Index entries by row; a changed row is a new object. */
const prepared = new WeakMap<object, Findable<Local>>()
/** Rows recently found by the API, by entity and id, oldest first. */
const found = new Map<string, Map<string, unknown>>()
const indexes = new Map<string, Index>()

interface Index {
  byId: Map<string, Findable<Local>>
  find: Finder<Local>
}

const indexed = (byId: Map<string, Findable<Local>>): Index => ({ byId, find: finder([...byId.values()]) })

/** A record with its title and subtitle for local search. */
export const localOf = (entity: AnyEntity, record: unknown): Local => ({
  id: entity.id(record),
  record,
  title: entity.title(record),
  subtitle: [entity.subtitle(record), stateOf(entity, record), entity.figure?.(record)].filter(Boolean).join(' · '),
})

const stateOf = (entity: AnyEntity, record: unknown): string | null => {
  const state = entity.status?.of(record)
  return state ? (entity.status?.states.label(state) ?? null) : null
}

/** Recently opened records of the given nouns, newest first. */
export function openedLately(entities: readonly AnyEntity[]): { entity: AnyEntity; local: Local }[] {
  return store.get(recentAtom).flatMap(({ entity: name, id, title, subtitle }) => {
    const entity = entities.find((each) => each.name === name)
    if (!entity) return []
    const known = record(name, id)
    return [{ entity, local: known === undefined ? { id, record: undefined, title, subtitle } : localOf(entity, known) }]
  })
}

/** The index entry of a record: title, id and all keywords of its entity. */
export function findableRecord(entity: AnyEntity, record: unknown): Findable<Local> {
  const known = prepared.get(record as object)
  if (known) return known
  const id = entity.id(record)
  const words = entity.keywords(record).flatMap((word) => (isTelephone(word) ? [word, word.replace(/\D/g, '')] : [word]))
  const made = findable(`${entity.name}:${id}`, entity.title(record), localOf(entity, record), [id], words)
  prepared.set(record as object, made)
  return made
}

const isTelephone = (word: string): boolean => /^\+?[\d\s().-]{7,}$/.test(word) && /\D/.test(word.slice(1))

/** Caches rows found by the API, so that the next keystroke can show them at once. */
export function keepFound(entity: AnyEntity, rows: readonly unknown[]): void {
  if (!rows.length) return
  const kept = found.get(entity.name) ?? new Map<string, unknown>()
  found.set(entity.name, kept)
  for (const row of rows) {
    const id = entity.id(row)
    kept.delete(id)
    kept.set(id, row)
  }
  for (const id of kept.keys()) {
    if (kept.size <= remembered) break
    kept.delete(id)
  }
  const index = indexes.get(entity.name)
  if (!index) return
  for (const row of rows) index.byId.set(entity.id(row), findableRecord(entity, row))
  indexes.set(entity.name, indexed(index.byId))
}

/** Counts removals from the cache. */
let forgotten = 0
/** Records known before the user's rights changed: not shown until the API returns them again. */
const doubted = new WeakSet<object>()

function forgetFound(): void {
  forgotten++
  found.clear()
  indexes.clear()
}

/** Called when the user's rights changed: only the API knows what they may still see. */
export function doubtKnown(): void {
  for (const { name } of entities()) for (const record of knownRecords(name)) doubted.add(record as object)
  forgetFound()
}

/** Removes records that the API no longer returns. */
export function forgetLocally(entity: AnyEntity, ids: readonly string[]): void {
  forgotten++
  const index = indexes.get(entity.name)
  for (const id of ids) {
    found.get(entity.name)?.delete(id)
    index?.byId.delete(id)
  }
  if (index) indexes.set(entity.name, indexed(index.byId))
  dropRecords(entity.name, ids, () => false)
}

/**
 * Rebuilds the indexes in idle time: never during a keystroke, and in short slices. Until one is ready, the previous one answers.
 * Calls `then` once all are. Returns the function that stops it.
 */
export function indexAgain(entities: readonly AnyEntity[], then = () => {}): () => void {
  const work = indexing(entities)
  let stop = whenIdle(go)
  function go(left: () => number): void {
    while (!work.next().done) {
      if (left() >= 2) continue
      stop = whenIdle(go)
      return
    }
    then()
  }
  return () => stop()
}

function* indexing(entities: readonly AnyEntity[]): Generator<void> {
  for (const entity of entities) {
    let byId: Map<string, Findable<Local>>
    let before: number
    // Starts over if records were removed meanwhile, so that they do not come back.
    do {
      before = forgotten
      byId = new Map()
      yield* preparing(entity, byId)
    } while (before !== forgotten)
    indexes.set(entity.name, indexed(byId))
  }
}

/** Number of records indexed between two checks of the time. */
const stride = 50

/** Fills an index with all known records of a noun, a few at a time. */
function* preparing(entity: AnyEntity, byId: Map<string, Findable<Local>>): Generator<void> {
  let count = 0
  for (const record of knownRecords(entity.name)) {
    if (byId.size >= maxScanned) break
    if (doubted.has(record as object)) continue
    byId.set(entity.id(record), findableRecord(entity, record))
    if (++count % stride === 0) yield
  }
  for (const [id, row] of found.get(entity.name) ?? []) if (!byId.has(id)) byId.set(id, findableRecord(entity, row))
  for (const { local } of openedLately([entity]))
    if (!byId.has(local.id)) byId.set(local.id, findable(`${entity.name}:${local.id}`, local.title, local, [local.id]))
}

function indexOf(entity: AnyEntity): Index {
  const known = indexes.get(entity.name)
  if (known) return known
  const byId = new Map<string, Findable<Local>>()
  for (const _ of preparing(entity, byId));
  const made = indexed(byId)
  indexes.set(entity.name, made)
  return made
}

/** Searches the locally known records of a noun. */
export const findLocally = (entity: AnyEntity, ...asked: Parameters<Finder<Local>>): ReturnType<Finder<Local>> =>
  indexOf(entity).find(...asked)

let person: string | undefined
store.sub(meAtom, () => {
  const now = store.get(meAtom)?.person.id
  if (now === person) return
  person = now
  // The next user may not have access to the same records.
  forgetFound()
})
