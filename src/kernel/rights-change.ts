import { guard } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'

/** Permission ids of a person before and after a change. */
export interface RightsChange {
  before: ReadonlySet<number>
  after: ReadonlySet<number>
}

/** What permissions give or take in the portal, by title: commands that change something, then places, each in alphabetical order. */
export function commandsChanged(
  known: readonly Command[],
  { before, after }: RightsChange,
): { gained: readonly string[]; lost: readonly string[] } {
  const may = (command: Command, held: ReadonlySet<number>) => guard(command, held).verdict !== 'no'
  // Commands that change something come first, because a long list is cut at its end.
  const groups = [known.filter(changes), known.filter((command) => !changes(command) && 'place' in command)]
  const titles = (from: ReadonlySet<number>, to: ReadonlySet<number>) =>
    groups.flatMap((commands) => [
      ...new Set(
        commands
          .filter((command) => !may(command, from) && may(command, to))
          .map(({ title }) => title)
          .sort(),
      ),
    ])
  return { gained: titles(before, after), lost: titles(after, before) }
}
