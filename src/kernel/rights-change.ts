import { guard } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'

/** Permissions that somebody holds before and after a change, by id. */
export interface RightsChange {
  before: ReadonlySet<number>
  after: ReadonlySet<number>
}

/** What of the portal comes and goes with permissions, by title: commands that change something, and after them places, each by the alphabet. */
export function commandsChanged(
  known: readonly Command[],
  { before, after }: RightsChange,
): { gained: readonly string[]; lost: readonly string[] } {
  const may = (command: Command, held: ReadonlySet<number>) => guard(command, held).verdict !== 'no'
  // What changes something is what the one who gives a right has to see; a long list is cut at its end.
  const counted = [known.filter(changes), known.filter((command) => !changes(command) && 'place' in command)]
  const titles = (from: ReadonlySet<number>, to: ReadonlySet<number>) =>
    counted.flatMap((some) => [
      ...new Set(
        some
          .filter((command) => !may(command, from) && may(command, to))
          .map(({ title }) => title)
          .sort(),
      ),
    ])
  return { gained: titles(before, after), lost: titles(after, before) }
}
