import type { Command } from '#kernel/command.ts'
import { mayBeName } from '#kernel/sentence/lists.ts'
import { changesNamed, maxTitleWords } from '#kernel/sentence/names.ts'

/** Maximum number of words in a name, and in the rest of a command behind it. */
const maxWordsInside = 3

/** Whether words are the whole name of a command that changes a record. */
const namesChange = (words: readonly string[], commands: readonly Command[]): boolean =>
  changesNamed(words.join(' '), commands).some(({ command }) => command.on)

/**
 * A sentence with the name of its record between the words of the command, as one with the name behind them: `change sadia email
 * to sadia@new.com` is `change email sadia to sadia@new.com`. Null if there is no such command.
 */
export function withNameBehind(text: string, commands: readonly Command[]): string | null {
  const words = text.split(/\s+/)
  const [verb = ''] = words
  const isChange = (rest: readonly string[]) => namesChange([verb, ...rest], commands)
  // `add repayment INV-40058 note 250` begins with a command.
  if ([2, 3, 4].some((to) => isChange(words.slice(1, to)))) return null
  for (let from = 2; from <= 1 + maxWordsInside && from < words.length - 1; from++) {
    const name = words.slice(1, from)
    if (!name.every(mayBeName)) return null
    for (let to = Math.min(from + maxWordsInside, words.length - 1); to > from; to--) {
      const rest = words.slice(from, to)
      if (isChange(rest)) return [verb, ...rest, ...name, ...words.slice(to)].join(' ')
    }
  }
  return null
}

/** `sadia barnes pause fraud` as `pause sadia barnes fraud`; null if no command with words behind it follows a name. */
export function withNameMoved(text: string, commands: readonly Command[]): string | null {
  const words = text.split(/\s+/)
  for (let from = 1; from <= maxWordsInside; from++)
    for (let to = Math.min(from + maxTitleWords, words.length - 1); to > from; to--) {
      const said = words.slice(from, to)
      if (namesChange(said, commands)) return [...said, ...words.slice(0, from), ...words.slice(to)].join(' ')
    }
  return null
}
