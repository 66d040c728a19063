import { atom } from 'jotai/vanilla'
import type { Situation } from '#kernel/situation.ts'
import { lettersAtom } from '#portal/state/letters.ts'
import { placeAtom } from '#portal/state/location.ts'
import { offersAtom } from '#portal/state/offers.ts'
import { onlineAtom } from '#portal/state/online.ts'
import { openPaneAtom } from '#portal/list/lists.ts'
import { heldAtom, meAtom } from '#portal/state/session.ts'
import { selectionAtom } from '#portal/state/target.ts'
import { themeAtom } from '#portal/state/theme.ts'

/** Everything that decides what can be done now. */
export const situationAtom = atom<Situation>((get) => {
  const me = get(meAtom)
  const place = get(placeAtom)
  return {
    signedIn: me !== null,
    held: get(heldAtom),
    offers: get(offersAtom),
    selection: get(selectionAtom),
    pane: get(openPaneAtom),
    open: place?.id ? { entity: place.entity, id: place.id } : null,
    online: get(onlineAtom),
    choices: { theme: get(themeAtom), letters: get(lettersAtom) },
  }
})
