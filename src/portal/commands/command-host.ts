import type { CommandHost } from '#kernel/command-host.ts'
import { navigate, searchParams } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { focusList, tabListAtom, tabWantedAtom } from '#portal/list/lists.ts'

/** Opens an address of the portal. */
export const open: CommandHost['open'] = (path, { replace = false, newTab = false } = {}) => {
  const list = store.get(tabListAtom)
  if (newTab) window.open(path, '_blank', 'noopener')
  // The tab is open already: focus moves into its list, as when its number key is pressed.
  else if (list && path === `${location.pathname}?tab=${searchParams().get('tab')}`) focusList(list)
  else {
    store.set(tabWantedAtom, path.includes('?tab='))
    navigate(path, { replace })
  }
}

let provided: CommandHost | undefined

/** Called by `host.ts`, which is loaded together with the commands. */
export function provideCommandHost(host: CommandHost): void {
  provided = host
}

/** The command host of this window. Until it is loaded, only commands that open lists exist, and these need only `open`. */
export const commandHost = (): CommandHost => provided ?? ({ open } as CommandHost)
