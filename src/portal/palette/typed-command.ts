import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import type { Finder } from '#kernel/rank.ts'
import { readTyped, type Typed } from '#portal/palette/typed.ts'

/** A title as it is said: with its first word, a verb, or without it. */
const isSaid = (title: string, words: string): boolean => {
  const whole = `${fold(title)} `
  return whole.startsWith(words) || whole.startsWith(words, whole.indexOf(' ') + 1)
}

/**
 * Where words of a command stand before those of a thing, only these are searched: `pause sadia`, `show employees of laurel`; `does`
 * are the commands that are meant. The name of a noun alone narrows to it: `employer laurel`. What is found as it stands is left so.
 */
export function readCommand(
  typed: Typed,
  { commands, find, used }: { commands: readonly Command[]; find: Finder<Command>; used: (key: string) => number },
  entities: readonly AnyEntity[],
): Typed {
  const words = fold(typed.text).split(/\s+/)
  if (
    typed.mode !== 'all' ||
    typed.only ||
    words.length < 2 ||
    find(typed.text, used, 200).some(({ tier: of }) => of < tier.typingError)
  )
    return typed
  for (let count = words.length - 1; count > 0; count--) {
    const rest = readTyped(typed.text.split(/\s+/).slice(count).join(' '), entities, location.origin)
    const lead = words.slice(0, count).join(' ')
    const noun = entities.find(({ one }) => fold(one) === lead)
    if (noun) return { ...rest, only: noun.name }
    const meant = commands.filter(({ on, filter, title }) => on && !filter && isSaid(title, `${lead} `))
    // To open it is what Enter does to whatever is found.
    if (meant.length > 0) return { ...rest, does: lead === 'open' ? [] : meant }
  }
  return typed
}
