import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import type { Finder } from '#kernel/rank.ts'
import { readTyped, type Typed } from '#portal/palette/typed.ts'

/** Whether words begin a title, which ends in a space as they do: with its first word, a verb, or without it. */
const isSaid = (title: string, words: string): boolean =>
  title.startsWith(words) || title.startsWith(words, title.indexOf(' ') + 1)

/**
 * Where words of a command stand before those of a thing, only these are searched: `pause sadia`, `show employees of laurel`; `does`
 * are the commands that are meant. The name of a noun alone narrows to it: `employer laurel`. What is found as it stands is left so.
 */
export function readCommand(
  typed: Typed,
  { commands, find, used }: { commands: readonly Command[]; find: Finder<Command>; used: (key: string) => number },
  entities: readonly AnyEntity[],
): Typed {
  const words = typed.text.split(/\s+/)
  if (
    typed.mode !== 'all' ||
    typed.only ||
    words.length < 2 ||
    find(typed.text, used, 200).some(({ tier: of }) => of < tier.typingError)
  )
    return typed
  const titled = commands
    .filter(({ on, filter }) => on && !filter)
    .map((command) => ({ command, title: `${fold(command.title)} ` }))
  for (let count = words.length - 1; count > 0; count--) {
    const lead = fold(words.slice(0, count).join(' '))
    const noun = entities.find(({ one }) => fold(one) === lead)
    const meant = noun ? [] : titled.filter(({ title }) => isSaid(title, `${lead} `))
    if (!noun && meant.length === 0) continue
    const rest = readTyped(words.slice(count).join(' '), entities, location.origin)
    if (noun) return { ...rest, only: noun.name }
    // To open it is what Enter does to whatever is found.
    return { ...rest, does: lead === 'open' ? [] : meant.map(({ command }) => command) }
  }
  return typed
}
