import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity, AnyRowKind } from '#kernel/entity.ts'
import { type OwnKeys, withOwnKeys } from '#kernel/own-keys.ts'
import { store } from '#portal/platform/store.ts'

interface Registry {
  commands: readonly Command[]
  entities: readonly AnyEntity[]
  /** Commands that are loaded later or made for the user, by where they come from: views, favourites. */
  more: Readonly<Record<string, readonly Command[]>>
  /** Shortcuts that the user changed. */
  ownKeys: OwnKeys
}

let registered: Registry = { commands: [], entities: [], more: {}, ownKeys: {} }
let known: readonly Command[] = []
let commandsById = new Map<string, Command>()
let entitiesByName = new Map<string, AnyEntity>()
const rowKinds = new Map<string, AnyRowKind>()

/** Incremented whenever more is registered: first what the first list needs, the rest right after it. */
export const registeredAtom = atom(0)

/** Registers modules found by globs, replacing the previous ones. */
export function register(found: Partial<Registry>): void {
  registered = { ...registered, ...found }
  known = declaredCommands()
    .map((command) => withOwnKeys(command, registered.ownKeys))
    .sort((a, b) => a.id.localeCompare(b.id))
  commandsById = new Map(known.map((command) => [command.id, command]))
  entitiesByName = new Map(registered.entities.map((entity) => [entity.name, entity]))
  store.set(registeredAtom, (times) => times + 1)
}

/** Registers the commands of one more source, replacing the previous ones of that source. */
export const registerMore = (source: string, more: readonly Command[]): void =>
  register({ more: { ...registered.more, [source]: more } })

/** Registers a noun, unless it is already. */
export function registerEntity(entity: AnyEntity): void {
  if (!entitiesByName.has(entity.name)) register({ entities: [...registered.entities, entity] })
}

/** Registers a kind of rows that are not records. */
export const registerRowKind = (kind: AnyRowKind): void => void rowKinds.set(kind.name, kind)

/** The row kind of a name; throws for an unknown one. */
export const rowKindByName = (name: string): AnyRowKind => rowKinds.get(name) ?? entityByName(name)

/** All commands with the shortcuts that they declare. */
export const declaredCommands = (): readonly Command[] => [...registered.commands, ...Object.values(registered.more).flat()]

/** All commands by id, with the user's own shortcuts. Keeps its identity until another one is registered. */
export const commands = (): readonly Command[] => known
/** All nouns. */
export const entities = (): readonly AnyEntity[] => registered.entities
/** One command by its id. */
export const commandById = (id: string): Command | undefined => commandsById.get(id)
/** The shortcut of a command by its id; null if it has none. */
export const chordById = (id: string): string | null => commandsById.get(id)?.keys?.[0]?.chord ?? null
/** A noun by its name; throws for an unknown one. */
export function entityByName(name: string): AnyEntity {
  const entity = entitiesByName.get(name)
  if (!entity) throw new Error(`There is no entity named ${name}.`)
  return entity
}
