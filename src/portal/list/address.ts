import { dropDraft, ownSearch } from '#portal/list/filters.ts'
import { locationAtom, placeAtom, setSearch } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

/** Parameters of the list as they were last seen, so that a record opened without them keeps its list. */
let remembered: { entity: string; search: string } | null = null
let written = ''

function follow(): void {
  const place = store.get(placeAtom)
  const own = ownSearch(new URLSearchParams(store.get(locationAtom).searchParams)).toString()
  if (place?.id && !own && remembered?.entity === place.entity && remembered.search) {
    setSearch(Object.fromEntries(new URLSearchParams(remembered.search)), { replace: true })
    return
  }
  if (own !== written) dropDraft()
  written = own
  remembered = place ? { entity: place.entity, search: own } : null
}

/** Keeps the parameters of a noun's list when the address changes around them. Returns what stops it. */
export function watchAddress(): () => void {
  follow()
  return store.sub(locationAtom, follow)
}
