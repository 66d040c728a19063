import type { AnyEndpoint } from '#contract/define.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { commands, entities } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { placeCountsAtom } from '#portal/list/attention.ts'
import { narrowing, readFilters } from '#portal/list/filters.ts'
import { refreshWhileSeen } from '#portal/records/refresh.ts'
import { heldAtom } from '#portal/api/session.ts'
import { placesOf } from '#portal/shell/places.ts'

/** Milliseconds between two counts. */
const countInterval = 60_000

/** The number of rows at the address of a filtered list; null if the API does not count them, or gave no answer. */
export async function countAt(address: string, signal: AbortSignal): Promise<number | null> {
  const [path, search] = address.split('?')
  const entity = entities().find((each) => each.path === path)
  const endpoint: AnyEndpoint | undefined = entity?.count
  if (!entity || !endpoint || !store.get(capabilitiesAtom)(endpoint)) return null
  const query = narrowing(readFilters(entity.filters, new URLSearchParams(search), store.get(heldAtom)), '', endpoint)
  const answer = (await apiClient.read(endpoint, {}, query, { background: true, signal }).catch(() => null)) as {
    count: number
  } | null
  return answer?.count ?? null
}

async function countAll(signal: AbortSignal): Promise<void> {
  const places = placesOf(commands(), store.get(heldAtom), store.get(capabilitiesAtom)).filter(({ counted }) => counted)
  const counts = await Promise.all(places.map(async ({ address }) => [address, await countAt(address, signal)] as const))
  if (!signal.aborted) store.set(placeCountsAtom, new Map(counts.flatMap(([at, count]) => (count === null ? [] : [[at, count]]))))
}

/**
 * Counts the rows for the badges of the rail, every minute while visible and after every change. Returns the function that stops
 * it.
 */
export function watchCounts(): () => void {
  const { stop } = refreshWhileSeen({ every: countInterval, read: ({ signal }) => countAll(signal), failed: () => {} })
  return () => {
    stop()
    store.set(placeCountsAtom, new Map())
  }
}
