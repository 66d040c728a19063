import type { Command } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { commandsOn, listsIn, type ParsedQuery, readTyped, sentencesIn } from '#kernel/sentence/reading.ts'
import { type Respelled, respelled } from '#kernel/sentence/spelling.ts'
import { type ListRowsInput, showsGroup } from '#portal/palette/filter-rows.ts'
import type { Group, Row, TextRow } from '#portal/palette/row.ts'
import { vocabularyOf } from '#portal/palette/use-search.ts'

interface SpellingInput extends ListRowsInput {
  commands: readonly Command[]
  /** Whether the API has not answered. */
  waiting: boolean
}

/** Maximum number of readings of a corrected text that are looked at. */
const maxReadings = 6

/** The words that a row searches a list for, folded; none if it does something else. */
function searchedIn(row: Row): string[] {
  const q = row.kind === 'command' ? row.params?.['q'] : undefined
  return typeof q === 'string' ? fold(q).split(' ').filter(Boolean) : []
}

/** Whether a row searches a list for one of the words. */
const searchesFor = (words: readonly string[], row: Row): boolean => words.some((word) => searchedIn(row).includes(fold(word)))

/**
 * The text with its typing errors corrected, if what is found does not account for the mistyped words, and if the corrected text
 * is a sentence, a list with filters, or a command. Enter types it: nothing is done by a guess.
 */
export function spellingGroup(input: SpellingInput, rows: readonly Row[]): Group {
  const { typed, commands, entities, waiting } = input
  // Of `apporve all write-offs` the list is left, which is shown.
  const unread = listsIn(typed).find((list) => list.unread)?.unread
  const said = unread ? `${unread} all ${typed.said}` : typed.said
  // A record whose id was typed does not account for the other words.
  const isBeside = (row: Row, words: readonly string[]) =>
    (row.kind === 'record' || row.kind === 'ask') && !words.some((word) => typed.text.split(/\s+/).includes(word))
  const isMissed = ({ typed: words }: Respelled) =>
    unread !== undefined || rows.every((row) => searchesFor(words, row) || isBeside(row, words))
  const mayBe = unread !== undefined || rows.every((row) => row.kind !== 'command' || searchedIn(row).length)
  const all = mayBe && typed.mode === 'all' && !waiting ? respelled(said, commands, entities) : []
  const fitting = all.filter((each) => isMissed(each) && isUnderstood(each, input))
  const row = ({ text }: Respelled): TextRow => ({
    ...{ kind: 'text', key: `spelling:${text}`, icon: 'search', title: text, text, note: null, found: null },
    ...{ tier: tier.typingError, usable: true, preselects: true },
  })
  return { key: 'spelling', title: 'Did you mean', note: null, rows: fitting.map(row) }
}

/** Whether a corrected text says something with its corrected words: a command, or a list that does not search for them. */
function isUnderstood({ text, corrected }: Respelled, input: SpellingInput): boolean {
  const { commands, entities, findCommands, used, context } = input
  const [best] = findCommands(text, used, 1)
  if (best && best.tier < tier.typingError) return true
  const readingAt = parse(readTyped(text, entities, location.origin), vocabularyOf(commands, entities, used))
  const isOn = (typed: ParsedQuery) =>
    commandsOn(typed).length > 0 || (context.selection !== null && sentencesIn(typed).length > 0)
  for (let place = 0; place < maxReadings; place++) {
    const typed = readingAt(place)
    if (!typed) return false
    if (isOn(typed) || showsGroup({ ...input, typed }).rows.some((row) => !searchesFor(corrected, row))) return true
  }
  return false
}
