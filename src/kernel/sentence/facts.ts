import { leadsToChange } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import { listsOf } from '#kernel/sentence/lists.ts'
import { commandNames, nameKey } from '#kernel/sentence/names.ts'
import { type ParsedQuery, type Reading, readTyped, type Vocabulary } from '#kernel/sentence/reading.ts'
import { countDown } from '#kernel/sentence/words.ts'

/** Maximum number of words in the name of a value: `approved write-off amount`. */
const maxFactWords = 4

/** Words in front of a question for a value. */
const asking =
  /^(?:(?:who(?:['’]?s| is| are)|what(?:['’]?s| is| are| was)?|which|when is|show(?: me)?|tell me|give me|get|find|see|check)(?: me)? )?(?:the |an? )?/i
/** What a value may also be called in full: `phone number`, `e-mail address`. */
const kindOfValue = / (?:address|amount|date|number)$/

/** The names of a value as typed: whole, and without the word for its kind. */
const namesFor = (words: string): string[] => [...new Set([fold(words), fold(words).replace(kindOfValue, '')])]

/** A value with the words for the record that has it. */
interface Asked {
  fact: string
  record: string
  /** Whether the text can only be a question: `due date of INV-40058`, unlike `due date INV-40058`. */
  isQuestion: boolean
}

/** All ways to take a text as a question for a value, longest name of a value first. */
function askedIn(text: string): Asked[] {
  const plain = text.replace(asking, '').trim()
  const words = plain.split(/\s+/)
  const [, owner, owned] = /^(.+?\p{L})['’]s? (.+)$/iu.exec(plain) ?? []
  const lengths = countDown(Math.min(maxFactWords, words.length - 1))
  const inFront = lengths.map((length): Asked => {
    const isLed = /^(?:of|for)$/i.test(words[length] ?? '')
    return {
      fact: words.slice(0, length).join(' '),
      record: words.slice(isLed ? length + 1 : length).join(' '),
      isQuestion: isLed,
    }
  })
  const behind = lengths.map((length): Asked => {
    return { fact: words.slice(-length).join(' '), record: words.slice(0, -length).join(' '), isQuestion: false }
  })
  return [...(owner && owned ? [{ fact: owned, record: owner, isQuestion: true }] : []), ...inFront, ...behind]
}

/** The commands that words name as a whole: `due date` is an alias of Change due date. */
const namedBy = (words: string, { commands }: Vocabulary) => commandNames(commands).byWords.get(nameKey(words)) ?? []

/** Whether words name a command that shows something, a noun's list or a part of one, which they then mean: `employees of birch`. */
function meansOther({ fact }: Asked, isId: boolean, vocabulary: Vocabulary): boolean {
  const named = namedBy(fact, vocabulary)
  return (
    named.some(({ command }) => !leadsToChange(command)) ||
    vocabulary.entities.some(({ many }) => fold(many) === fold(fact)) ||
    (!isId && listsOf(fact.split(/\s+/), vocabulary, true).some(({ every }) => !every))
  )
}

/** A question for a value of a record. */
export interface Question {
  /** The search for the record, among the nouns that have such a value. */
  query: ParsedQuery
  /** Whether it can be nothing else: with a word between both, or the id of the record. Otherwise it may be a name: `sadia status`. */
  isCertain: boolean
}

/** The question for a value in a text: `hire date of sadia`, `sadia's phone number`, `INV-40058 due date`. Null without one. */
export function readQuestion(typed: ParsedQuery, vocabulary: Vocabulary): Question | null {
  const { entities, facts, origin } = vocabulary
  for (const asked of askedIn(typed.said))
    for (const name of namesFor(asked.fact)) {
      const having = entities.filter((entity) => facts(entity).has(name))
      if (!having.length) continue
      const read = readTyped(asked.record, entities, origin)
      const isId = read.ids.length > 0
      const isAbout = ({ name: noun }: AnyEntity) =>
        (read.only?.includes(noun) ?? true) && (!isId || read.ids.some(({ entity }) => entity.name === noun))
      const only = having.filter(isAbout).map((entity) => entity.name)
      if (!only.length || meansOther(asked, isId, vocabulary)) continue
      // `pause employee` is a title, and asks for nobody's employee.
      const [title] = asked.isQuestion || isId ? [] : vocabulary.find(typed.text, vocabulary.used, 1)
      if (title && title.tier <= tier.prefix) return null
      // `due date INV-40058` may also be about to change it.
      const changes = asked.isQuestion ? [] : namedBy(asked.fact, vocabulary)
      const actions = changes.map(({ command, by }): Reading => ({ kind: 'action', command, by, named: 'alias' }))
      const query: ParsedQuery = { ...read, said: typed.said, only, readings: [{ kind: 'fact', name }, ...actions] }
      return { query, isCertain: asked.isQuestion || isId }
    }
  return null
}
