import type { Filter } from '#contract/filter.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { Saying } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'

const wordsOfId = (id: string): string => id.replaceAll(/[.-]/g, ' ')

const known = new WeakMap<readonly Command[], readonly Omit<Saying, 'filter'>[]>()

/** Search terms of commands that change something: their titles, their ids, and the last part of the id, `pause`. */
function sayingsOf(commands: readonly Command[]): readonly Omit<Saying, 'filter'>[] {
  const before = known.get(commands)
  if (before) return before
  const values = new Map<string, string>()
  const say = (words: string, value: string) => !values.has(words) && values.set(words, value)
  for (const command of commands.filter(changes)) {
    for (const id of [command.id, ...command.does.map(({ id }) => id)]) say(wordsOfId(id), wordsOfId(id))
    const [id, title] = [wordsOfId(command.id), fold(command.title)]
    // The list filters by words of the id; a title with other words stands for the whole id.
    say(title, title.split(' ').every((word) => id.includes(word)) ? title : id)
    const last = wordsOfId(command.id.slice(command.id.indexOf('.') + 1))
    say(last, last)
  }
  const sayings = [...values].map(([words, value]) => ({ words, value }))
  known.set(commands, sayings)
  return sayings
}

/** Commands as values of the filter by command, if the list has one: `pause employee`. */
export function commandSayings(filters: readonly Filter[], commands: readonly Command[]): Saying[] {
  const filter = filters.find(({ id, field }) => id === 'command' && field.kind === 'text')
  return filter ? sayingsOf(commands).map((each) => ({ ...each, filter })) : []
}
