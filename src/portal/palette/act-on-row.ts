import type { Destination } from '#portal/palette/palette-keys.ts'
import { type AnyEntity, openCommand, pathOf } from '#kernel/entity.ts'
import { takesMore } from '#portal/palette/command-rows.ts'
import type { CommandRow, Row, RecordRow } from '#portal/palette/row.ts'
import { blockKeysWhile, stillWanted } from '#portal/keyboard/hold.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { commandById, entityByName } from '#portal/platform/registry.ts'
import { copyAndSay } from '#portal/platform/copy-and-say.ts'
import { host } from '#portal/commands/host.ts'
import { commandLink } from '#portal/commands/links.ts'
import { openBeside } from '#portal/list/beside.ts'
import { narrowedAddress } from '#portal/list/change.ts'
import { favouriteRecord, favouritesAtom, nameFavourites, pointedAtom } from '#portal/list/favourites.ts'
import { activeListAtom } from '#portal/list/lists.ts'
import { foundAtom } from '#portal/palette/search-results.ts'
import { chooseRecord, closePalette, paletteAtom, pushPage, typePalette } from '#portal/commands/palette-state.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { sayUnread, startCommand } from '#portal/commands/start.ts'
import { store } from '#portal/platform/store.ts'
import { oneTarget } from '#portal/list/target.ts'
import { upsertRecords, record } from '#portal/records/entity-store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { recordUse } from '#portal/commands/uses.ts'

/**
 * Puts a row into the entity store if the API found it for the current text or it is among `offered`; an older one is read again
 * when needed.
 */
export function upsertRow({ entity, id, record: row }: RecordRow, offered: readonly unknown[] = []): void {
  const { lists, ids } = store.get(foundAtom)
  const fresh = offered.includes(row) || lists[entity.name]?.rows.includes(row) || ids[entity.name]?.record === row
  if (row !== undefined && fresh && record(entity.name, id) === undefined) upsertRecords(entity.name, [row])
}

/** Runs the Enter action of a row; `again` repeats the search. An unavailable row announces its reason. */
export function runRow(row: Row, to: Destination, again: () => void): void {
  const newTab = to !== 'here'
  if (row.kind === 'command') runCommandRow(row, newTab)
  else if (row.kind === 'text') typePalette(row.text)
  else if (row.kind === 'retry') again()
  else if (row.kind === 'place') {
    closePalette()
    host.open(row.address, { newTab })
  } else {
    if (row.kind === 'record') {
      upsertRow(row)
      recordUse(row.key)
    }
    if (to === 'beside' && row.entity.pane) {
      closePalette()
      openBeside(row.entity, row.id)
      return
    }
    const tab = tabTyped(row.entity, row.id)
    if (tab !== null) {
      closePalette()
      const address = `${pathOf(row.entity, row.id)}?${new URLSearchParams({ tab })}`
      host.open(address, { newTab })
      return
    }
    startCommand(openCommand(row.entity), { targets: oneTarget(row.entity.name, row.id), newTab })
  }
}

/** The tab that a link in the field opens; null if the text is not a link to a tab of this record. */
function tabTyped(entity: AnyEntity, id: string): string | null {
  const url = URL.parse(store.get(paletteAtom).typed.trim(), location.origin)
  const leads = entity.pane && url?.origin === location.origin && url.pathname.startsWith(`${entity.path}/`)
  // A link may contain the id in either notation.
  return leads && entity.ids.read(url.pathname.slice(entity.path.length + 1)) === id ? url.searchParams.get('tab') : null
}

function runCommandRow(row: CommandRow, newTab: boolean): void {
  if (!row.usable) announce(row.note ?? '', true)
  else if (row.state.state === 'ask')
    pushPage({ kind: 'target', command: row.command.id, ...(row.params ? { params: row.params } : {}) })
  else {
    const given = {
      ...(row.targets ? { targets: row.targets } : {}),
      ...(row.params ? { params: row.params } : {}),
      ...(row.params || row.onFound ? { complete: true } : {}),
    }
    const confirm = row.exact ? {} : { confirm: { about: row.note ?? row.title } }
    const start = () => startCommand(row.command.id, { ...given, ...confirm, newTab })
    // Ids typed in a sentence: one of them may be none.
    if (row.onFound && row.targets && row.targets.ids.length > 1) void loadAll(row.targets).then((there) => there && start())
    else start()
  }
}

/** Loads the records that a sentence names; false if one of them cannot be loaded, which a toast says. */
async function loadAll({ entity: name, ids }: Targets): Promise<boolean> {
  const entity = name === null ? undefined : entityByName(name)
  const wanted = stillWanted()
  const load = async (id: string) => {
    try {
      await loadRecord(entity as AnyEntity, id)
      return true
    } catch (error) {
      if (wanted()) sayUnread(entity as AnyEntity, id, error)
      return false
    }
  }
  return (await blockKeysWhile(Promise.all(entity ? ids.map(load) : []))).every(Boolean) && wanted()
}

/** The id under which a row is a favourite; null if it cannot be one. */
function favouriteIdOf(row: Row): string | null {
  if (row.kind === 'command') return row.command.id
  return row.kind === 'record' && row.entity.pane ? favouriteRecord(row.entity.name, row.id) : null
}

/** Adds the record or the command of a row to the favourites, or removes it. */
export function markFavourite(row: Row): void {
  const id = favouriteIdOf(row)
  if (id === null) {
    announce('This row cannot be a favourite.', true)
    return
  }
  if (row.kind === 'record')
    nameFavourites([{ entity: row.entity.name, id: row.id, title: row.title, subtitle: row.note ?? '' }], [])
  const is = store.get(favouritesAtom).includes(id)
  store.set(pointedAtom, id)
  startCommand(is ? 'view.favourite.remove' : 'view.favourite.add', { stays: true, byKey: true })
  store.set(pointedAtom, null)
}

/** Runs the Tab action: a record becomes the chip, a command with parameters shows its form. */
export function tabRow(row: Row): void {
  if (row.kind === 'record') void choose(row)
  else if (row.kind === 'text') typePalette(row.text)
  else if (row.kind === 'command' && row.usable && takesMore(row, store.get(commandContextAtom))) runCommandRow(row, false)
}

async function choose(row: RecordRow): Promise<void> {
  upsertRow(row)
  try {
    await loadRecord(row.entity, row.id)
    chooseRecord(row.entity.name, row.id)
  } catch (error) {
    sayUnread(row.entity, row.id, error)
  }
}

/** Copies the link of a row: a record's page, a filtered list, or a command's form, which still has to be sent. */
export async function copyRow(row: Row): Promise<void> {
  const link = linkOf(row)
  if (link !== null) await copyAndSay(link, 'Link copied')
}

/** The link of a row; null if it has none. */
export function linkOf(row: Row): string | null {
  if (row.kind === 'command') {
    const list = row.narrows && store.get(activeListAtom)
    return list && row.narrows
      ? narrowedAddress(list, row.narrows.set, row.narrows.q)
      : commandLink(commandById(row.command.id) ?? row.command, row.targets, row.params)
  }
  if (row.kind === 'place') return new URL(row.address, location.origin).href
  if (row.kind !== 'record' && row.kind !== 'ask') return null
  if (row.entity.pane) return new URL(pathOf(row.entity, row.id), location.origin).href
  const url = new URL('/', location.origin)
  url.searchParams.set('command', openCommand(row.entity))
  url.searchParams.set('target', row.id)
  return url.href
}
