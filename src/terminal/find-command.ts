import { changes, type Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { isQuestion } from '#kernel/sentence/meaning-words.ts'
import { respelled } from '#kernel/sentence/spelling.ts'
import { commands, entities } from '#terminal/registry.ts'
import { Stop } from '#terminal/stop.ts'
import { actionOnName, actionOnSet, asSentence, listSaid, sentencesIn, staffWith } from '#terminal/words.ts'

/** A command with the ids that it is run on, null for those on standard input, and the words behind them. */
export interface AskedCommand {
  kind: 'command'
  command: Command
  targets: readonly string[] | null
  words: readonly string[]
}

/** What a person asks for: a command, a command on a part of a list, a record, or a list narrowed by words. */
export type Asked =
  | AskedCommand
  /** `note 100467 called back`: a command of each noun that has such ids; the record decides. */
  | { kind: 'choice'; choices: readonly AskedCommand[] }
  /** Read again with the business date of the address. */
  | { kind: 'set'; text: string }
  | { kind: 'record'; entity: AnyEntity; id: string }
  | { kind: 'list'; entity: AnyEntity; words: string }
  /** `who can approve write-offs`: the lists of staff, each with that filter. */
  | { kind: 'staff'; lists: readonly { entity: AnyEntity; words: string }[] }

/** Maximum number of choices that an ambiguous word is answered with. */
const maxChoices = 12

/** The noun that a word names, in any of its forms. */
export const nounNamed = (word: string): AnyEntity | undefined =>
  entities.find(({ name, one, many, path }) => [name, one, many, path.slice(1)].map(fold).includes(fold(word)))

/** Whether each part of an id begins with the part typed: `emp.pa` for `employee.pause`. */
const isShortFor = (typed: string, id: string): boolean => {
  const [parts, whole] = [typed.split('.'), id.split('.')]
  return parts.length <= whole.length && parts.every((part, at) => whole[at]?.startsWith(part))
}

/**
 * The command of an id, of the beginnings of its parts, or of the verb alone if only one noun has it. Null if there is none; stops
 * if there are several.
 */
export function commandNamed(typed: string): Command | null {
  const exact = commands.find(({ id }) => id === typed)
  if (exact) return exact
  const found = typed.includes('.')
    ? commands.filter(({ id }) => isShortFor(typed, id))
    : commands.filter((command) => command.id.split('.')[1] === typed && command.id.split('.').length === 2)
  const whole = found.filter(({ id }) => id.split('.').length === typed.split('.').length)
  const best = whole.length ? whole : found
  if (best.length > 1) {
    const some = best.slice(0, maxChoices).map(({ id, title }) => `${id}  ${title}`)
    throw new Stop('usage', `${typed} may be ${best.length} commands.`, some.join('\n'))
  }
  return best[0] ?? null
}

/** The ids behind a command, `-` for standard input, and the words behind them, which may begin with a record's name. */
function targetsIn({ on }: Command, words: readonly string[]): Pick<Asked & { kind: 'command' }, 'targets' | 'words'> {
  const [first] = words
  if (!on || first === undefined) return { targets: [], words }
  if (first === '-') return { targets: null, words: words.slice(1) }
  const parts = words.map((word) => word.split(',').filter(Boolean))
  const isIds = (at: number) => parts[at]?.every((part) => on.ids.read(part) !== null) ?? false
  let end = 0
  while (end < words.length && isIds(end)) end++
  return { targets: parts.slice(0, end).flat(), words: words.slice(end) }
}

/** What words ask for: a command by its id, a noun with what follows, an id, or a sentence as in the palette. */
export function whatIsAsked(words: readonly string[]): Asked {
  const [first = '', ...rest] = words
  if (first.includes('.')) {
    const command = commandNamed(first)
    if (command) return { kind: 'command', command, ...targetsIn(command, rest) }
  }
  const plain = words.join(' ').trim()
  const [head = '', ...tail] = plain.split(/\s+/)
  const noun = nounNamed(head)
  if (noun) {
    const verb = tail[0] ? commands.find(({ id }) => id === `${noun.name}.${tail[0]}`) : undefined
    if (verb) return { kind: 'command', command: verb, ...targetsIn(verb, words.length === 1 ? tail.slice(1) : rest.slice(1)) }
    const id = tail.length === 1 ? noun.ids.read(tail[0] ?? '') : null
    if (id !== null) return { kind: 'record', entity: noun, id }
    if (noun.pane) return { kind: 'list', entity: noun, words: tail.join(' ') }
  }
  const alone = tail.length === 0 ? entities.find(({ ids }) => ids.readAlone(head) !== null) : undefined
  if (alone) return { kind: 'record', entity: alone, id: alone.ids.read(head) ?? head }
  const spoken = asSentence(words).trim()
  if (!namesRecords(spoken) && actionOnSet(spoken, today())) return { kind: 'set', text: spoken }
  const said = fromSentence(spoken)
  if (said) return said
  const command = commandNamed(first)
  if (command) return { kind: 'command', command, ...targetsIn(command, rest) }
  const titled = commands.find(({ title, aliases = [] }) => [title, ...aliases].map(fold).includes(fold(plain)))
  if (titled) return { kind: 'command', command: titled, targets: [], words: [] }
  const lists = staffWith(plain, today())
  if (lists.length) return { kind: 'staff', lists }
  const list = isQuestion(spoken) ? null : listIn(plain)
  if (list) return list
  const shown = listSaid(plain, today())
  if (shown) return { kind: 'list', entity: shown.entity, words: plain }
  const action = fromName(spoken)
  if (action) return action
  throw new Stop(
    'usage',
    `Not understood: ${plain}`,
    respelling(plain) ?? nearest(first) ?? 'All commands: npm run portal -- --help',
  )
}

/** The words with their typing errors corrected, if that asks for something: `puase 100467 fraud`. */
function respelling(plain: string): string | null {
  const asks = (text: string) => {
    try {
      return whatIsAsked([text]) !== null
    } catch (error) {
      if (error instanceof Stop) return false
      throw error
    }
  }
  const found = respelled(plain, commands, entities).find(({ text }) => asks(text))
  return found ? `Did you mean: ${found.text}` : null
}

/** Whether a sentence names records by their ids: words behind them are for the form. */
const namesRecords = (spoken: string): boolean => sentencesIn(spoken).some(({ ids }) => ids.length > 0)

/** The day by which sentences are understood before the address and its business date are known. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** The reading of a sentence that names records, else the only one that does not. Stops if several commands fit equally. */
function fromSentence(spoken: string): Asked | null {
  const all = sentencesIn(spoken)
  const named = all.filter(({ ids }) => ids.length > 0)
  const best = named.length ? named : all
  const [reading] = best
  if (!reading) return null
  const commands = [...new Set(best.map((each) => each.command))]
  const isByNoun = named.length > 1 && new Set(commands.map(({ on }) => on)).size === commands.length
  if (isByNoun)
    return { kind: 'choice', choices: best.map(({ command, ids, words }) => ({ kind: 'command', command, targets: ids, words })) }
  const command = onlyOne(commands)
  const { ids, words } = reading
  return { kind: 'command', command, ...(ids.length ? { targets: ids, words } : targetsIn(command, words)) }
}

/** `sadia pause`: a name with a command. */
function fromName(spoken: string): (Asked & { kind: 'command' }) | null {
  const read = actionOnName(spoken, today())
  if (!read) return null
  return { kind: 'command', command: onlyOne(read.commands), targets: [], words: [quotedName(read.name)] }
}

/** One word for a name, however many it has. */
const quotedName = (name: string): string => (/\s/.test(name) ? `"${name}"` : name)

/** The only one of several commands; stops with all of them if there are more. */
export function onlyOne(found: readonly Command[]): Command {
  const [command, ...others] = found
  if (!command || others.length)
    throw new Stop('usage', 'This may be several commands.', found.map(({ id, title }) => `${id}  ${title}`).join('\n'))
  return command
}

/** `overdue invoices laurel`: the noun anywhere in the words. */
function listIn(spoken: string): (Asked & { kind: 'list' }) | null {
  const words = spoken.split(/\s+/)
  for (let at = words.length - 1; at >= 0; at--)
    for (let length = 3; length > 0; length--) {
      const entity = nounNamed(words.slice(at, at + length).join(' '))
      if (entity?.pane) return { kind: 'list', entity, words: [...words.slice(0, at), ...words.slice(at + length)].join(' ') }
    }
  return null
}

/** Commands whose id has the word somewhere. */
function nearest(word: string): string | null {
  const close = commands.filter(
    (each) => changes(each) && word.length > 2 && (each.id.includes(word) || fold(each.title).includes(fold(word))),
  )
  return close.length
    ? close
        .slice(0, maxChoices)
        .map(({ id, title }) => `${id}  ${title}`)
        .join('\n')
    : null
}
