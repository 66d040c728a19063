import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import { commandsLostAtom, type RestOfCommands } from '#portal/platform/bundle.ts'
import { untilThere } from '#portal/platform/deferred.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { coming, register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { targetAtom } from '#portal/list/target.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'

/**
 * The nouns of the current context: the target, the palette's target, and the list in the address, also before its rows are
 * loaded.
 */
const contextNounsAtom = atom((get) => [get(targetAtom)?.entity, get(paletteAtom).target?.entity, get(placeAtom)?.entity].join())

/** `employee` for `employee.pause`: the folder of its file. */
const folderOf = (id: string): string => id.slice(0, id.indexOf('.'))

/**
 * The commands of the nouns, fetched once a noun is in the context; `later` maps a folder to its loader, which folders whose
 * commands share a chunk have in common.
 */
export function restOfCommands(later: Readonly<Record<string, () => Promise<readonly Command[]>>>): RestOfCommands {
  const underWay = new Map<() => Promise<readonly Command[]>, Promise<readonly Command[]>>()

  const fetched = (load: () => Promise<readonly Command[]>): Promise<readonly Command[]> => {
    const known = underWay.get(load)
    if (known) return known
    const commands = load()
    underWay.set(load, commands)
    commands.catch(() => underWay.delete(load))
    return commands
  }
  // Registers all that arrived together in one call: each call re-renders whatever lists commands.
  const bring = async (wanted: readonly Command[]): Promise<void> => {
    if (wanted.length === 0) return
    const ways = new Set(wanted.flatMap(({ id }) => later[folderOf(id)] ?? []))
    const came = await Promise.all([...ways].map(fetched))
    register({ arrived: came.flat() })
  }
  const contextCommands = (): readonly Command[] => {
    const nouns = store.get(contextNounsAtom).split(',')
    return coming().filter(({ on }) => on && nouns.includes(on.name))
  }
  const fetchForContext = () => bring(contextCommands())
  store.sub(
    contextNounsAtom,
    () =>
      void untilThere(fetchForContext, () => store.set(commandsLostAtom, true)).then(() => store.set(commandsLostAtom, false)),
  )
  return {
    missing: () => contextCommands().length > 0,
    fetchForContext,
    isComing: (id) => coming().some((command) => command.id === id),
    fetch: (id) => bring(coming().filter((command) => command.id === id)),
    all: () => bring(coming()),
  }
}
