import { changes, type Command } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'

/** A command that words name, whole; `by` is the alias, null if its title was typed. */
export interface NamedCommand {
  command: Command
  by: string | null
}

/** One name of a command. */
interface Name extends NamedCommand {
  /** Folded. */
  words: string
  /** Whether the noun of its record is left out: `add note` is Add invoice note. */
  isShort: boolean
}

/** A command on records with its names, each ending in a space, which ends a complete last word. */
export interface TitledCommand {
  command: Command
  title: string
  /** The title without the noun of its record. */
  short: string
  /** Its aliases by the form that words are compared with, also without the noun. */
  called: ReadonlyMap<string, string>
}

interface CommandNames {
  /** Commands on records. */
  titled: readonly TitledCommand[]
  /** All commands by each of their names; a title comes before an alias. */
  byWords: ReadonlyMap<string, readonly Name[]>
}

/** Words in the form in which names are compared: without articles, and `e-mail` as `email`. */
export const nameKey = (text: string): string =>
  fold(text)
    .replace(/(?<!\S)e mail/g, 'email')
    .replace(/(?<!\S)(?:an?|the) (?=\S)/g, '')

function namesOf({ title, aliases = [], on }: Command): Omit<Name, 'command'>[] {
  const noun = on && new RegExp(`(?: (?:by|for|of))? ${fold(on.one)} `)
  return [null, ...aliases].flatMap((by) => {
    const words = fold(by ?? title)
    const short = noun ? ` ${words} `.replace(noun, ' ').trim() : words
    const whole = { words, by, isShort: false }
    return short === words || !short ? [whole] : [whole, { words: short, by, isShort: true }]
  })
}

function indexOf(commands: readonly Command[]): CommandNames {
  const byWords = new Map<string, Name[]>()
  const titled: TitledCommand[] = []
  for (const command of commands) {
    const names = namesOf(command)
    for (const each of names) {
      const key = nameKey(each.words)
      const named = byWords.get(key) ?? []
      const same = named.find((other) => other.command === command)
      if (same) same.isShort &&= each.isShort
      const alike = same ? named : [...named, { ...each, command }]
      byWords.set(key, [...alike.filter(({ by }) => by === null), ...alike.filter(({ by }) => by !== null)])
    }
    if (!command.on) continue
    const [title = '', short = title] = names.flatMap(({ words, by }) => (by === null ? [`${words} `] : []))
    const noun = `${fold(command.on.one)} `
    // `invoice paid` is no `paid`, which is a status.
    const called = names.filter(({ by, isShort }) => by !== null && !(isShort && fold(by).startsWith(noun)))
    titled.push({ command, title, short, called: new Map(called.map(({ words, by }) => [`${words} `, by as string])) })
  }
  return { titled, byWords }
}

const known = new WeakMap<readonly Command[], CommandNames>()

/** The names of commands, indexed once per list of commands. */
export function commandNames(commands: readonly Command[]): CommandNames {
  const names = known.get(commands) ?? indexOf(commands)
  known.set(commands, names)
  return names
}

/** Maximum number of words in a title or an alias. */
export const maxTitleWords = 8

/** The commands that change something whose title or alias the words are, with or without its noun. */
export const changesNamed = (words: string, commands: readonly Command[]): readonly NamedCommand[] =>
  commandNames(commands)
    .byWords.get(nameKey(words))
    ?.filter(({ command }) => changes(command)) ?? []

/** Whether words are a whole title or alias, with its noun. */
export const isName = (words: string, { byWords }: CommandNames): boolean =>
  byWords.get(nameKey(words))?.some(({ isShort }) => !isShort) ?? false
