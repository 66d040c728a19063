import { may } from '#domain/permissions.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { forgetLocally } from '#portal/records/find-locally.ts'
import { favouriteAt, favouriteRecord, favouritesAtom, nameFavourites } from '#portal/list/favourites.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { receive } from '#portal/records/freshness.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { confirmOpened, openedIds } from '#portal/records/recent.ts'
import { entities } from '#portal/platform/registry.ts'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { record } from '#portal/records/entity-store.ts'
import { heldAtom, meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { apiClient } from '#portal/api/client.ts'

/** Maximum number of records requested of a noun that is read one by one. */
const maxSingle = 8

/** Whether several records of a noun can be requested at once. */
const atOnce = ({ list }: AnyEntity): boolean => store.get(capabilitiesAtom)(list, 'id')

/** The current records by id; null for those that the API does not return. Throws without an answer. */
async function ask(entity: AnyEntity, ids: readonly string[]): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>(ids.map((id) => [id, null]))
  if (may(store.get(heldAtom), entity.list.needs) === 'no') return found
  try {
    if (atOnce(entity)) {
      const query = { ...entity.query, id: ids.join(','), limit: String(ids.length) }
      for (const row of entity.rows((await apiClient.read(entity.list, {}, query, { background: true })) as never))
        found.set(entity.id(row), row)
    } else {
      for (const id of ids) found.set(id, await one(entity, id))
    }
  } catch (error) {
    if (!isOutOfReach(error)) throw error
  }
  return found
}

async function one(entity: AnyEntity, id: string): Promise<unknown> {
  try {
    return await readOne(entity, id, { background: true })
  } catch (error) {
    if (isOutOfReach(error)) return null
    throw error
  }
}

/** The records among the favourites. */
const favouriteRecords = () =>
  store.get(favouritesAtom).flatMap((id) => {
    const at = favouriteAt(id)
    return at?.of === 'record' ? [at] : []
  })

/** Checks which recently opened and favourite records the user may still see; the others are removed everywhere. */
async function checkRecent(): Promise<void> {
  const opened = [...favouriteRecords(), ...openedIds()]
  const person = store.get(meAtom)?.person.id
  await Promise.all(
    entities().map(async (entity) => {
      const ids = [...new Set(opened.filter((each) => each.entity === entity.name).map(({ id }) => id))]
      if (!ids.length) return
      let answer: Map<string, unknown>
      try {
        answer = await ask(entity, atOnce(entity) ? ids : ids.slice(0, maxSingle))
      } catch {
        // Without an answer nothing changes; what was known before in this page stays.
        return
      }
      if (store.get(meAtom)?.person.id !== person) return
      const rows = [...answer.values()].filter((row) => row !== null)
      // Updates known rows, too, so that their states and figures are current.
      const isKnown = (row: unknown) => record(entity.name, entity.id(row)) !== undefined
      receive(entity.name, rows.filter(isKnown))
      const asked = rows.map((row) => ({
        entity: entity.name,
        id: entity.id(row),
        title: entity.title(row),
        subtitle: entity.subtitle(row),
      }))
      const favourites = new Set(store.get(favouritesAtom))
      const gone = [...answer].flatMap(([id, row]) => (row === null ? [id] : []))
      confirmOpened(
        asked,
        gone.map((id) => ({ entity: entity.name, id })),
      )
      nameFavourites(
        asked.filter(({ entity, id }) => favourites.has(favouriteRecord(entity, id))),
        gone.map((id) => `${entity.name}:${id}`),
      )
      if (!gone.length) return
      forgetLocally(entity, gone)
      refreshLists(true)
    }),
  )
}

/** Checks now, whenever the palette opens, and when the user's rights change. Returns the function that stops it. */
export function watchRecent(): () => void {
  const check = () => void checkRecent()
  let open = false
  const stops = [
    store.sub(paletteAtom, () => {
      const now = store.get(paletteAtom).open
      if (now && !open) check()
      open = now
    }),
    store.sub(meAtom, () => {
      if (store.get(meAtom)) check()
    }),
  ]
  check()
  return () => {
    for (const stop of stops) stop()
  }
}
