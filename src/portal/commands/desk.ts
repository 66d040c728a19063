import type { Desk } from '#kernel/desk.ts'
import { go, searchParams } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusList, tabListAtom, tabWantedAtom } from '#portal/list/lists.ts'

/** Opens an address of the portal. */
export const open: Desk['open'] = (path, { replace = false, newTab = false } = {}) => {
  const list = store.get(tabListAtom)
  if (newTab) window.open(path, '_blank', 'noopener')
  // A tab that is open already: into its list, as its number leads.
  else if (list && path === `${location.pathname}?tab=${searchParams().get('tab')}`) focusList(list)
  else {
    store.set(tabWantedAtom, path.includes('?tab='))
    go(path, { replace })
  }
}

let provided: Desk | undefined

/** Called by `host.ts`, which comes with the commands: what they act on. */
export function provideDesk(desk: Desk): void {
  provided = desk
}

/** The person's desk in this window. Before it has come there are no commands but the ways to the lists, which do nothing but open them. */
export const deskHere = (): Desk => provided ?? ({ open } as Desk)
