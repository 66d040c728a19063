import type { Desk } from '#kernel/desk.ts'
import { go, placeAtom, searchParams } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusSoon } from '#portal/keyboard/focus.ts'
import { hold } from '#portal/keyboard/hold.ts'
import { focusList, tabListAtom } from '#portal/list/lists.ts'

/** Gives the keyboard to the list in a tab, as soon as it is drawn: keys act on the row that looks current. Without one to the record. */
function focusTabSoon(tab: string): void {
  const body = `[aria-labelledby="tab-${tab}"]`
  const letGo = hold()
  // After the palette, which gives the keyboard to the record as it goes.
  setTimeout(() => {
    focusSoon(`${body} [role="grid"], [data-region="detail"]:has(> ${body}):not(:has(.tab-list, .waiting))`)
    letGo()
  })
}

/** Opens an address of the portal. */
export const open: Desk['open'] = (path, { replace = false, newTab = false } = {}) => {
  const list = store.get(tabListAtom)
  if (newTab) window.open(path, '_blank', 'noopener')
  // A tab that is open already: into its list, as its number leads.
  else if (list && path === `${location.pathname}?tab=${searchParams().get('tab')}`) focusList(list)
  else {
    go(path, { replace })
    const tab = store.get(placeAtom)?.id && searchParams().get('tab')
    if (tab) focusTabSoon(tab)
  }
}

let provided: Desk | undefined

/** Called by `host.ts`, which comes with the commands: what they act on. */
export function provideDesk(desk: Desk): void {
  provided = desk
}

/** The person's desk in this window. Before it has come there are no commands but the ways to the lists, which do nothing but open them. */
export const deskHere = (): Desk => provided ?? ({ open } as Desk)
