import type { CommandHost } from '#kernel/command-host.ts'
import { pathOf } from '#kernel/entity.ts'
import { besideAtom, keepingBeside, navigate, searchParams, setSearch, tabParameter } from '#portal/platform/location.ts'
import { focusBeside } from '#portal/keyboard/focus.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { focusList, tabListAtoms, tabWantedAtom } from '#portal/list/lists.ts'

/** Whether an address is that of the record beside the open one, which stays there. */
function isBeside(path: string): boolean {
  const place = store.get(besideAtom)
  return place?.id != null && new URL(path, location.origin).pathname === pathOf(entityByName(place.entity), place.id)
}

/** Opens an address of the portal. */
export const open: CommandHost['open'] = (path, { replace = false, newTab = false } = {}) => {
  const list = store.get(tabListAtoms.main)
  if (newTab) window.open(path, '_blank', 'noopener')
  // The tab is open already: focus moves into its list, as when its number key is pressed.
  else if (isBeside(path)) {
    const tab = new URL(path, location.origin).searchParams.get('tab')
    if (tab !== null) setSearch({ [tabParameter('beside')]: tab }, { replace: true })
    focusBeside()
  } else if (list && path === `${location.pathname}?tab=${searchParams().get('tab')}`) focusList(list)
  else {
    store.set(tabWantedAtom, path.includes('?tab='))
    navigate(keepingBeside(path), { replace })
  }
}

let provided: CommandHost | undefined

/** Called by `host.ts`, which is loaded together with the commands. */
export function provideCommandHost(host: CommandHost): void {
  provided = host
}

/** The command host of this window. Until it is loaded, only commands that open lists exist, and these need only `open`. */
export const commandHost = (): CommandHost => provided ?? ({ open } as CommandHost)
