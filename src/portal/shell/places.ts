import { capitalize } from '#domain/text.ts'
import { guard } from '#kernel/availability.ts'
import type { Command, Place } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** A place of the portal, as shown in the rail and on the landing page. */
export interface NamedPlace extends Place {
  command: Command
  /** 'Employees' for 'Open employees'. */
  title: string
}

const short = (title: string): string => {
  const rest = title.replace(/^Open /, '')
  return capitalize(rest)
}

/** The places that a user with these rights may see and that the API supports, in their order. */
export const placesOf = (
  commands: readonly Command[],
  held: ReadonlySet<number>,
  supports: CommandContext['supports'] = () => true,
): NamedPlace[] =>
  commands
    .flatMap((command) =>
      'place' in command && typeof command.place === 'object' ? [{ ...command.place, command, title: short(command.title) }] : [],
    )
    .filter(({ command }) => guard(command, held).verdict !== 'no')
    .filter(({ command }) => !('reads' in command) || supports(command.reads))
    .sort((a, b) => a.order - b.order)
