import type { Command } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import { commandNames, maxTitleWords, type TitledCommand } from '#kernel/sentence/names.ts'
import type { ActionReading, NamedBy, Vocabulary } from '#kernel/sentence/reading.ts'

/**
 * Whether words start a title (both end in a space): with its first word, a verb, or without it, or with its first two words
 * joined.
 */
const isSaid = (title: string, words: string): boolean =>
  title.startsWith(words) || title.startsWith(words, title.indexOf(' ') + 1) || title.replace(' ', '').startsWith(words)

/** A command named by words: by its title, or by an alias. */
export const actionOf = (command: Command, by: string | null, named: NamedBy): ActionReading => ({
  kind: 'action',
  command,
  by,
  named,
})

/**
 * Commands whose titles start with the words, then those whose titles without the noun do, and then, if there are any or `also`
 * is set, those with exactly these words as an alias. The words end in a space if the last one is complete.
 */
export function actionsNamed(words: string, commands: readonly Command[], also: boolean): ActionReading[] {
  const { titled } = commandNames(commands)
  const direct = titled.filter(({ title }) => isSaid(title, words))
  const shortened = titled.filter((each) => isSaid(each.short, words) && !direct.includes(each))
  const matches = [...direct, ...shortened]
  const others = (also || matches.length ? titled : []).flatMap((each): ActionReading[] => {
    const by = matches.includes(each) ? undefined : each.called.get(words)
    return by === undefined ? [] : [actionOf(each.command, by, 'alias')]
  })
  const isStart = ({ title, short }: TitledCommand) =>
    [title, short, title.replace(' ', '')].some((each) => each.startsWith(words))
  const nameOf = (each: TitledCommand): NamedBy => (each.title === words ? 'whole' : isStart(each) ? 'start' : 'inside')
  // `invoice of birch` is a list rather than 'Reopen invoice of write-off'.
  const isOpen = / (?:by|for|from|of|to) $/.test(words)
  const named = matches.map((each) => actionOf(each.command, null, nameOf(each)))
  return [...named.filter((each) => !isOpen || each.named !== 'inside'), ...others]
}

/** Whether words, more than one, are the beginning of a title. */
export const startsTitle = (words: readonly string[], commands: readonly Command[]): boolean =>
  words.length > 1 &&
  words.length <= maxTitleWords &&
  actionsNamed(`${fold(words.join(' '))} `, commands, false).some(({ named }) => named !== 'inside')

/** Maximum number of commands that are matched by words anywhere in their titles. */
const maxInsideMatches = 5

/** Commands on records that contain every word: `adjust balance`, `change email`. */
export const actionsInside = (words: string, { find, used }: Vocabulary): ActionReading[] =>
  find(words, used, maxInsideMatches)
    .filter(({ item, tier: of }) => of < tier.substring && item.of.on)
    .map(({ item, by }) => actionOf(item.of, by, by === null ? 'inside' : 'alias'))
