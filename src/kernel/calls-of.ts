import type { CallHead } from '#contract/define.ts'
import type { Need, PermissionName } from '#domain/permissions.ts'
import { changes, type Command } from '#kernel/command.ts'

const namesOf = (need: Need<unknown> | undefined): readonly PermissionName[] => (need?.kind === 'all' ? need.names : [])
const nameOf = ({ method, path }: CallHead): string => `${method} ${path}`

/** What a command asks of whoever runs it, as the API names it: intents, calls and permissions; empty for what is on the desk alone. */
export const callsOf = (command: Command): readonly string[] => [
  ...(changes(command) ? command.does.map(({ id }) => id) : 'reads' in command ? [nameOf(command.reads)] : []),
  ...namesOf(command.also),
]

/** The commands that somebody may lack: those on records of a noun, or those on none, by their titles. */
export const commandsOn = (noun: string | undefined, known: readonly Command[]): readonly Command[] =>
  known
    .filter((command) => command.on?.name === noun && command.filter === undefined && callsOf(command).length > 0)
    .sort((a, b) => a.title.localeCompare(b.title))
