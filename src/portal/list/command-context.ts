import { atom, type Getter } from 'jotai/vanilla'
import type { CommandContext } from '#kernel/command-context.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { besideAtom, locationAtom } from '#portal/platform/location.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { onlineAtom } from '#portal/api/online.ts'
import { focusedPlaceAtom, regionAtom } from '#portal/keyboard/focus.ts'
import { favouriteHereAtom } from '#portal/list/favourites.ts'
import { openPaneAtom, tabListAtom, tabNameAtom } from '#portal/list/lists.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { heldAtom, meAtom } from '#portal/api/session.ts'
import { selectionAtom } from '#portal/list/target.ts'
import { themeAtom } from '#portal/platform/theme.ts'

/** Maximum number of marked rows that prefill a form, the same as the limit of one call. */
const maxTabRows = 500

/** The selected rows of the list in a tab. They may not be records themselves, for example the lines of an invoice. */
function tabRowsOf(get: Getter): Pick<CommandContext, 'tabRows'> {
  const list = get(regionAtom) === 'tab' ? get(tabListAtom) : null
  if (!list?.scope.of) return {}
  const { id } = get(list.cursorAtom)
  const ids = get(list.markedAtom)?.ids.slice(0, maxTabRows) ?? (id === null ? [] : [id])
  const rows = ids.map((each) => get(recordAtom(list.rows, each))).filter((row) => row !== undefined)
  return rows.length ? { tabRows: { of: list.scope.of, kind: list.rows, rows } } : {}
}

/** Everything that decides which commands are available now. */
export const commandContextAtom = atom<CommandContext>((get) => {
  const me = get(meAtom)
  const place = get(focusedPlaceAtom)
  const beside = get(besideAtom)
  const { searchParams } = get(locationAtom)
  const [notesOf, notesId] = ['entity_type', 'entity_id'].map((name) => searchParams?.get(name))
  return {
    signedIn: me !== null,
    held: get(heldAtom),
    supports: get(capabilitiesAtom),
    selection: get(selectionAtom),
    pane: get(openPaneAtom),
    open: place?.id ? { entity: place.entity, id: place.id } : null,
    ...(notesOf && notesId ? { notes: { entity: notesOf, id: notesId } } : {}),
    ...(beside?.id ? { beside: { entity: beside.entity, id: beside.id } } : {}),
    tab: get(tabNameAtom),
    favourite: get(favouriteHereAtom),
    ...tabRowsOf(get),
    online: get(onlineAtom),
    ...(me ? { person: me.person.id } : {}),
    choices: { theme: get(themeAtom), letters: get(lettersAtom) },
  }
})
