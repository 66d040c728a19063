import type { CallHead } from '#contract/define.ts'
import { type Need, type PermissionName, readerOf } from '#domain/permissions.ts'
import { changes, type Command, filterOf, needsOf } from '#kernel/command.ts'

const namesOf = (need: Need<unknown> | null | undefined): readonly PermissionName[] => (need?.kind === 'all' ? need.names : [])
const nameOf = ({ method, path }: CallHead): string => `${method} ${path}`

/** Permissions to read the command's record, for calls whose permissions depend on the entity. */
function toRead(command: Command): readonly PermissionName[] {
  return needsOf(command).some(({ kind }) => kind === 'as-entity') ? namesOf(readerOf({ entity: command.on?.name })) : []
}

/** Intents, calls and permissions that a command requires, as the API names them; empty for commands that change only the portal. */
export const callsOf = (command: Command): readonly string[] => [
  ...(changes(command) ? command.does.map(({ id }) => id) : 'reads' in command ? [nameOf(command.reads)] : []),
  ...namesOf('reads' in command ? command.needs : null),
  ...toRead(command),
]

/** Commands that a person may lack permission for, by title: those on records of a noun, or those without one. */
export const commandsOn = (noun: string | undefined, known: readonly Command[]): readonly Command[] =>
  known
    .filter((command) => command.on?.name === noun && !filterOf(command) && callsOf(command).length > 0)
    .sort((a, b) => a.title.localeCompare(b.title))
