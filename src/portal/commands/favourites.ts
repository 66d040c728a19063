import { namedViews } from '#contract/named-views.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import { pathOf } from '#kernel/entity.ts'
import { ownKeys, setOwnKeys } from '#portal/commands/own-keys.ts'
import { takeKeyHint } from '#portal/commands/key-hints.ts'
import {
  favouriteAt,
  favouriteNamesAtom,
  favouritesAtom,
  nameFavourites,
  setFavourites,
  watchStoredFavourites,
} from '#portal/list/favourites.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { commandById, entities, registerMore } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { record } from '#portal/records/entity-store.ts'

/** The command of a favourite record or built-in view; none for any other command, which exists anyway. */
function commandOf(id: string): Command[] {
  const at = favouriteAt(id)
  const entity = at && entities().find(({ name }) => name === at.entity)
  if (!at || !entity) return []
  if (at.of === 'record') {
    const name = store.get(favouriteNamesAtom).get(`${at.entity}:${at.id}`)?.title ?? `${entity.one} ${at.id}`
    const act: (host: CommandHost) => void = (host) => {
      host.open(pathOf(entity, at.id))
      // Not if it was opened in a new tab.
      if (store.get(placeAtom)?.id === at.id) focusRecord()
    }
    return [defineCommand({ id, title: `Open ${name}`, icon: entity.icon, reads: entity.get, act })]
  }
  const view = namedViews[entity.path]?.find((each) => each.id === at.id)
  if (!view) return []
  const address = view.search ? `${entity.path}?${view.search}` : entity.path
  return [
    defineCommand({
      id,
      title: `Show ${entity.many}: ${view.title}`,
      icon: entity.icon,
      reads: entity.list,
      act: (host) => host.open(address),
    }),
  ]
}

/** The name of a favourite record that the page has read; undefined for others, as names of favourites are read later. */
function shownRecord(id: string): Parameters<typeof nameFavourites>[0][number] | undefined {
  const at = favouriteAt(id)
  const entity = at?.of === 'record' ? entities().find(({ name }) => name === at.entity) : undefined
  const row = at && entity ? record(at.entity, at.id) : undefined
  if (!entity || row === undefined) return undefined
  return { entity: entity.name, id: entity.id(row), title: entity.title(row), subtitle: entity.subtitle(row) }
}

/** What a favourite is called in messages: the record or the command. */
function nameOfFavourite(id: string): string {
  const shown = shownRecord(id)
  if (shown) return shown.title
  const title = commandById(id)?.title ?? commandOf(id)[0]?.title ?? 'a command that is gone'
  return favouriteAt(id)?.of === 'record' ? title.replace(/^Open /, '') : title
}

/** The ids and titles that are registered. */
let registered = ''

/** Registers the commands of favourite records and views, so that they can have a shortcut. */
export function registerFavourites(): void {
  const more = store.get(favouritesAtom).flatMap(commandOf)
  const now = more.map(({ id, title }) => `${id} ${title}`).join('\n')
  if (now === registered) return
  registered = now
  registerMore('favourites', more)
}

/** Keeps these commands up to date. Returns the function that stops it. */
export function watchFavourites(): () => void {
  registerFavourites()
  const follow = registerFavourites
  const stops = [store.sub(favouritesAtom, follow), store.sub(favouriteNamesAtom, follow), watchStoredFavourites()]
  return () => {
    for (const stop of stops) stop()
    registered = ''
    registerMore('favourites', [])
  }
}

/** Adds a favourite at the end. */
export function addFavourite(id: string): void {
  const shown = shownRecord(id)
  if (shown) nameFavourites([shown], [])
  setFavourites([...store.get(favouritesAtom).filter((each) => each !== id), id])
  const chord = takeKeyHint('view.favourite.add')
  showToast(`Added to favourites: ${nameOfFavourite(id)}`, { tone: 'good', ...(chord ? { chord } : {}) })
}

/** Removes a favourite, with the shortcut that only a favourite has. */
export function removeFavourite(id: string): void {
  const name = nameOfFavourite(id)
  const { [id]: chord, ...others } = ownKeys()
  setFavourites(store.get(favouritesAtom).filter((each) => each !== id))
  if (chord !== undefined && favouriteAt(id)) setOwnKeys(others)
  showToast(`Removed from favourites: ${name}`)
}

/** Moves a favourite by one place up (-1) or down (1). */
export function moveFavourite(id: string, by: 1 | -1): void {
  const all = [...store.get(favouritesAtom)]
  const from = all.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= all.length) return
  all.splice(from, 1)
  all.splice(to, 0, id)
  setFavourites(all)
}
