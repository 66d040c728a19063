import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity, AnyRowKind } from '#kernel/entity.ts'
import { store } from '#portal/platform/store.ts'

interface Registered {
  commands: readonly Command[]
  entities: readonly AnyEntity[]
  /** Commands of which only the heads are there. */
  coming: readonly Command[]
  /** Commands that stand for what the person saved. */
  saved: readonly Command[]
}

let registered: Registered = { commands: [], entities: [], coming: [], saved: [] }
let ready: readonly Command[] = []
let known: readonly Command[] | null = null
let commandsById = new Map<string, Command>()
let entitiesByName = new Map<string, AnyEntity>()
const rowKinds = new Map<string, AnyRowKind>()

/** Raised whenever more is registered: what the first list needs comes first, the rest right after it. */
export const registeredAtom = atom(0)

/** Called with what globs found, in the place of what was there; what `arrived` takes the place of its heads. */
export function register({ arrived = [], ...found }: Partial<Registered> & { arrived?: readonly Command[] }): void {
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

/** Adds a noun, unless it is there. */
export function registerEntity(entity: AnyEntity): void {
  if (!entitiesByName.has(entity.name)) register({ entities: [...registered.entities, entity] })
}

/** Adds rows that are no records of their own. */
export const registerRowKind = (kind: AnyRowKind): void => void rowKinds.set(kind.name, kind)

/** What rows of a name have in common; throws for a name nobody declared. */
export const rowKindByName = (name: string): AnyRowKind => rowKinds.get(name) ?? entityByName(name)

/** All commands that can be run at once. */
export const commands = (): readonly Command[] => ready
/** The commands that are on their way. */
export const coming = (): readonly Command[] => registered.coming
/** All commands, also those on their way: what finds and lists them. The same array until another one is registered. */
export function knownCommands(): readonly Command[] {
  known ??= [...ready, ...registered.coming].sort((a, b) => a.id.localeCompare(b.id))
  return known
}
/** All nouns. */
export const entities = (): readonly AnyEntity[] => registered.entities
/** One command by its id. */
export const commandById = (id: string): Command | undefined => commandsById.get(id)
/** One noun by its name; throws for a name nobody declared. */
export function entityByName(name: string): AnyEntity {
  const entity = entitiesByName.get(name)
  if (!entity) throw new Error(`There is no entity named ${name}.`)
  return entity
}
