import type { Me } from '#contract/session.ts'
import { permissionWords } from '#domain/permission-groups.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { stopSeeking } from '#portal/palette/search-results.ts'
import { doubtKnown } from '#portal/records/find-locally.ts'
import { doubtOpened } from '#portal/records/recent.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { isUnconnected } from '#portal/session/unconnected.ts'
import { meAtom } from '#portal/api/session.ts'

/** Above this number of permissions only the count is shown. */
const maxNamed = 4

const named = (ids: readonly number[]): string =>
  ids.length > maxNamed ? `${ids.length} permissions` : ids.map((id) => permissionWords(id).toLowerCase()).join(', ')

/** The difference in rights between two answers for one person, as a sentence; null if there is none. */
export function rightsChanged(before: Me, now: Me): string | null {
  const had = before.permissions.map(({ id }) => id)
  const has = now.permissions.map(({ id }) => id)
  const gained = has.filter((id) => !had.includes(id))
  const lost = had.filter((id) => !has.includes(id))
  const sentences = [
    ...(lost.length ? [`Removed: ${named(lost)}.`] : []),
    ...(gained.length ? [`Added: ${named(gained)}.`] : []),
    ...(JSON.stringify(before.grants) === JSON.stringify(now.grants)
      ? []
      : [
          isUnconnected(now.grants)
            ? 'No organization or employer is connected to you any more.'
            : 'You are connected to other organizations or employers.',
        ]),
  ]
  return sentences.length ? sentences.join(' ') : null
}

/** The last signed-in person with their rights: outlives the watch, which ends with the session. */
let before: Me | null = null

/**
 * When the user's rights have changed, also between two sessions, shows a toast, refetches the lists, and clears the local
 * search. Returns the function that stops it.
 */
export function watchRights(): () => void {
  look()
  return store.sub(meAtom, look)
}

function look(): void {
  const now = store.get(meAtom)
  const detail = before && now && before.person.id === now.person.id ? rightsChanged(before, now) : null
  before = now ?? before
  if (detail === null) return
  stopSeeking()
  doubtKnown()
  doubtOpened()
  showToast('Your permissions changed.', { detail })
  refreshLists(true)
  store.set(rightsChangesAtom, (times) => times + 1)
}
