import { dropDraft, ownSearch } from '#portal/list/filters.ts'
import { locationAtom, placeAtom, setSearch } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

/** The last parameters of the list, so that a record opened without them keeps its list. */
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

/** Keeps the parameters of a noun's list over address changes. Returns the function that stops it. */
export function watchAddress(): () => void {
  follow()
  return store.sub(locationAtom, follow)
}
