import { useAtomValue } from 'jotai'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { type ListKey, ListPage } from '#portal/form/palette/list-page.tsx'
import { moveFavourite, removeFavourite } from '#portal/commands/favourites.ts'
import { closePalette } from '#portal/commands/palette-state.ts'
import { startCommand } from '#portal/commands/start.ts'
import { changeKeysOf } from '#portal/keyboard/key-map.ts'
import { keyWorks } from '#portal/keyboard/letters.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { favouriteAt, favouriteNamesAtom, favouritesAtom } from '#portal/list/favourites.ts'
import { commandById, registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

interface Favourite {
  id: string
  title: string
  command: Command | undefined
  /** Why it cannot be opened; null if it can. */
  problem: string | null
}

/** A favourite as it is now. The name of a record is shown only while the person may read it. */
function favouriteOf(id: string): Favourite {
  const command = commandById(id)
  const at = favouriteAt(id)
  const isNamed = at?.of !== 'record' || store.get(favouriteNamesAtom).has(`${at.entity}:${at.id}`)
  const title = (at?.of === 'record' ? command?.title.replace(/^Open /, '') : command?.title) ?? 'No longer available'
  if (!command) return { id, title, command, problem: 'the view or command is gone' }
  const state = availability(command, store.get(commandContextAtom))
  if (state.state === 'locked') return { id, title, command, problem: 'you have no permission' }
  return { id, title, command, problem: isNamed ? null : 'gone, or you have no access' }
}

const Line = ({ favourite: { title, command, problem } }: { favourite: Favourite }) => {
  const chord = command?.keys?.[0]?.chord
  return (
    <>
      <Icon name={problem ? 'lock' : (command?.icon ?? 'arrow')} />
      <span className={`truncate ${problem ? 'text-muted' : ''}`}>{title}</span>
      {problem && <span className="shrink-0 text-small text-muted">{problem}</span>}
      {chord && keyWorks(chord) && (
        <span className="ml-auto shrink-0">
          <Kbd chord={chord} hidden={false} />
        </span>
      )}
    </>
  )
}

function start({ command, problem }: Favourite, newTab: boolean): void {
  if (command && !problem) startCommand(command.id, { newTab })
  else announce(`This favourite cannot be opened: ${problem}.`, true)
}

/** The favourites in their order: Enter opens one, Shift with an arrow moves it, Delete removes it, s gives it a shortcut. */
export function FavouritesPage() {
  useAtomValue(registeredAtom)
  useAtomValue(favouriteNamesAtom)
  const rows = useAtomValue(favouritesAtom).map(favouriteOf)
  const onKey = ({ event, letter, mod }: ListKey, row: Favourite, at: { index: number; choose: (index: number) => void }) => {
    const { key, shiftKey } = event
    const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (shiftKey && by) {
      const to = Math.max(0, Math.min(rows.length - 1, at.index + by))
      moveFavourite(row.id, by)
      at.choose(to)
      announce(`${row.title}: ${to + 1} of ${rows.length}`)
    } else if (key === 'Enter' && !event.repeat) start(row, mod)
    else if (key === 'Delete') removeFavourite(row.id)
    else if (letter === 's' && (mod || keyWorks('s'))) {
      closePalette()
      changeKeysOf(row.id)
    } else return false
    return true
  }
  return (
    <ListPage
      title="Favourites"
      label="Favourites, in your order"
      empty={{ icon: 'star', sentence: 'You have no favourites yet. Open a record or a view, and choose Add to favourites.' }}
      rows={rows}
      keyOf={({ id }) => id}
      content={(favourite) => <Line favourite={favourite} />}
      hints={({ command }) => [
        { chord: 'Enter', says: 'open' },
        ...(rows.length > 1 ? [{ chord: 'Shift+ArrowDown', says: 'move' }] : []),
        { chord: 'Delete', says: 'remove' },
        ...(command ? [{ chord: keyWorks('s') ? 's' : 'Mod+S', says: 'shortcut' }] : []),
      ]}
      onKey={onKey}
    />
  )
}
