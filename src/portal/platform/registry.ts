import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity, AnyRowKind } from '#kernel/entity.ts'
import { store } from '#portal/platform/store.ts'

interface Registry {
  commands: readonly Command[]
  entities: readonly AnyEntity[]
  /** Commands of which only the metadata is loaded. */
  coming: readonly Command[]
  /** Commands for the user's saved views. */
  saved: readonly Command[]
}

let registered: Registry = { commands: [], entities: [], coming: [], saved: [] }
let ready: readonly Command[] = []
let known: readonly Command[] | null = null
let commandsById = new Map<string, Command>()
let entitiesByName = new Map<string, AnyEntity>()
const rowKinds = new Map<string, AnyRowKind>()

/** Incremented whenever more is registered: first what the first list needs, the rest right after it. */
export const registeredAtom = atom(0)

/** Registers modules found by globs, replacing the previous ones; `arrived` commands replace their metadata. */
export function register({ arrived = [], ...found }: Partial<Registry> & { arrived?: readonly Command[] }): void {
  registered = { ...registered, ...found }
  const ids = new Set(arrived.map(({ id }) => id))
  if (ids.size) {
    const other = ({ id }: Command) => !ids.has(id)
    registered.commands = [...registered.commands.filter(other), ...arrived]
    registered.coming = registered.coming.filter(other)
  }
  known = null
  ready = [...registered.commands, ...registered.saved]
  commandsById = new Map(ready.map((command) => [command.id, command]))
  entitiesByName = new Map(registered.entities.map((entity) => [entity.name, entity]))
  store.set(registeredAtom, (times) => times + 1)
}

/** Registers a noun, unless it is already. */
export function registerEntity(entity: AnyEntity): void {
  if (!entitiesByName.has(entity.name)) register({ entities: [...registered.entities, entity] })
}

/** Registers a kind of rows that are not records. */
export const registerRowKind = (kind: AnyRowKind): void => void rowKinds.set(kind.name, kind)

/** The row kind of a name; throws for an unknown one. */
export const rowKindByName = (name: string): AnyRowKind => rowKinds.get(name) ?? entityByName(name)

/** All loaded commands. */
export const commands = (): readonly Command[] => ready
/** Commands that are not loaded yet. */
export const coming = (): readonly Command[] => registered.coming
/** All commands, loaded or not, for search and lists. Keeps its identity until another one is registered. */
export function knownCommands(): readonly Command[] {
  known ??= [...ready, ...registered.coming].sort((a, b) => a.id.localeCompare(b.id))
  return known
}
/** All nouns. */
export const entities = (): readonly AnyEntity[] => registered.entities
/** One command by its id. */
export const commandById = (id: string): Command | undefined => commandsById.get(id)
/** A noun by its name; throws for an unknown one. */
export function entityByName(name: string): AnyEntity {
  const entity = entitiesByName.get(name)
  if (!entity) throw new Error(`There is no entity named ${name}.`)
  return entity
}
