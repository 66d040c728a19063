import { atom } from 'jotai/vanilla'
import type { Situation } from '#kernel/situation.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { locationAtom, placeAtom } from '#portal/app/location.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import { onlineAtom } from '#portal/api/online.ts'
import { openPaneAtom, tabNameAtom } from '#portal/list/lists.ts'
import { heldAtom, meAtom } from '#portal/session/session.ts'
import { selectionAtom } from '#portal/commands/target.ts'
import { themeAtom } from '#portal/app/theme.ts'

/** Everything that decides what can be done now. */
export const situationAtom = atom<Situation>((get) => {
  const me = get(meAtom)
  const place = get(placeAtom)
  const { searchParams } = get(locationAtom)
  const [notesOf, notesId] = ['entity_type', 'entity_id'].map((name) => searchParams?.get(name))
  return {
    signedIn: me !== null,
    held: get(heldAtom),
    offers: get(offersAtom),
    selection: get(selectionAtom),
    pane: get(openPaneAtom),
    open: place?.id ? { entity: place.entity, id: place.id } : null,
    ...(notesOf && notesId ? { notes: { entity: notesOf, id: notesId } } : {}),
    tab: get(tabNameAtom),
    online: get(onlineAtom),
    ...(me ? { person: me.person.id } : {}),
    choices: { theme: get(themeAtom), letters: get(lettersAtom) },
  }
})
