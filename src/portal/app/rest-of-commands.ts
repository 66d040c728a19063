import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import { commandsLostAtom, type RestOfCommands } from '#portal/app/bundle.ts'
import { untilThere } from '#portal/app/deferred.ts'
import { placeAtom } from '#portal/app/location.ts'
import { coming, register } from '#portal/app/registry.ts'
import { store } from '#portal/app/store.ts'
import { targetAtom } from '#portal/commands/target.ts'
import { paletteAtom } from '#portal/palette/state.ts'

/** The nouns of what can be acted on now: the target, what the palette is about, and where one is, also before its rows have come. */
const atHandAtom = atom((get) => [get(targetAtom)?.entity, get(paletteAtom).target?.entity, get(placeAtom)?.entity].join())

/** `employee` for `employee.pause`, the folder that its file lies in. */
const folderOf = (id: string): string => id.slice(0, id.indexOf('.'))

/**
 * The commands of the nouns, fetched by folder: at once when a noun is at hand. `files` are the ways to fetch them by
 * path, `../../../commands/employee/pause.ts`.
 */
export function restOfCommands(files: Readonly<Record<string, () => Promise<Command | Command[]>>>): RestOfCommands {
  const folders = Map.groupBy(Object.entries(files), ([path]) => path.split('/').at(-2) ?? '')
  const underWay = new Map<string, Promise<Command[]>>()

  const fetchFolder = (folder: string): Promise<Command[]> => {
    const known = underWay.get(folder)
    if (known) return known
    const commands = Promise.all((folders.get(folder) ?? []).map(([, load]) => load())).then((found) => found.flat())
    underWay.set(folder, commands)
    commands.catch(() => underWay.delete(folder))
    return commands
  }
  // All that came together is told at once: each telling draws what lists commands.
  const bring = async (wanted: readonly Command[]): Promise<void> => {
    if (wanted.length === 0) return
    const came = await Promise.all([...new Set(wanted.map(({ id }) => folderOf(id)))].map(fetchFolder))
    register({ arrived: came.flat() })
  }
  const ofNounsAtHand = (): readonly Command[] => {
    const nouns = store.get(atHandAtom).split(',')
    return coming().filter(({ on }) => on && nouns.includes(on.name))
  }
  const atHand = () => bring(ofNounsAtHand())
  store.sub(
    atHandAtom,
    () => void untilThere(atHand, () => store.set(commandsLostAtom, true)).then(() => store.set(commandsLostAtom, false)),
  )
  return {
    missing: () => ofNounsAtHand().length > 0,
    atHand,
    isComing: (id) => coming().some((command) => command.id === id),
    fetch: (id) => bring(coming().filter((command) => command.id === id)),
    all: () => bring(coming()),
  }
}
