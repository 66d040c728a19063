import { z } from 'zod'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { entityOf, inPlural, listsOf } from '#kernel/sentence/lists.ts'
import type { ListReading, ParsedQuery, Vocabulary } from '#kernel/sentence/reading.ts'

/** Words before a list that ask for an order, with the number of rows that is asked for: pattern, field, direction, wording. */
const superlatives = [
  [/^(?:the )?(?:largest|biggest|highest|top)(?: (\d{1,3}))? /i, 'amount', 'desc', 'largest first'],
  [/^(?:the )?(?:smallest|lowest)(?: (\d{1,3}))? /i, 'amount', 'asc', 'smallest first'],
  [
    /^(?:the )?(?:newest|latest|most recent|last(?! (?:week|month|year|quarter|\d+ (?:day|week|month|year)s?(?!\S))))(?: (\d{1,3}))? /i,
    'date',
    'desc',
    'latest first',
  ],
  [/^(?:the )?(?:oldest|earliest)(?: (\d{1,3}))? /i, 'date', 'asc', 'oldest first'],
] as const

/** `invoices, oldest first` as `oldest invoices`. */
const superlativeInFront = (text: string): string =>
  text.replace(/^(.*?[^\s,]),? (largest|biggest|highest|smallest|lowest|newest|latest|oldest|earliest) first$/i, '$2 $1')

/** `invoices sorted by due date`, `sort overdue invoices by amount desc`: the list, the name of the order, and its direction. */
const byName =
  /^(?:(?:sort|order|list|show) )?(\S.*?),? (?:(?:sort|sorted|order|ordered) )?by (\S.*?)(?:,? (asc|desc)(?:end|ending)?|,? (?:the )?(\S+) (?:one )?first)?$/i
/** Words before `first` that mean the lowest value. */
const lowest = /^(?:smallest|lowest|oldest|earliest|soonest)$/i

/** The names of the sort orders that the API has for a list, `due_date`. */
function sortsOf({ list }: AnyEntity): readonly string[] {
  const { sort } = list.query.shape as Readonly<Record<string, unknown>>
  const values = sort instanceof z.ZodDefault ? sort.unwrap() : sort
  return values instanceof z.ZodEnum ? values.options.map(String) : []
}

/** The name of an order as people say it: `due date`, `suggested`. */
const wordsOf = (sort: string): string => fold(sort.replaceAll('_', ' ')).replace(/ at$/, '')

/** The orders of a noun's list by a name: its whole name, else the beginning of it, `outstanding`; `amount` is the usual one. */
function ordersNamed(entity: AnyEntity, named: string): string[] {
  const typed = fold(named)
  const sorts = sortsOf(entity)
  const usual = typed === 'amount' || typed === 'date' ? entity.orders?.[typed] : undefined
  const whole = usual ?? sorts.find((sort) => wordsOf(sort) === typed)
  return whole ? [whole] : sorts.filter((sort) => `${wordsOf(sort)} `.startsWith(`${typed} `))
}

/** Lists with an order by name; both directions if none is said: names from the start, anything else from the end. */
function readByName(typed: ParsedQuery, vocabulary: Vocabulary): ParsedQuery | null {
  const [, text = '', named = '', direction, edge] = byName.exec(typed.text) ?? []
  // Of `sort by due date` no word names a list.
  const lists = (text ? listsNamed(text, vocabulary) : []).filter(({ list }) => list.every !== 'word')
  const readings = lists.flatMap(({ list, entity }) =>
    ordersNamed(entity, named).flatMap((sort): ListReading[] => {
      const usual = /name|employer|organization|status|type|email/.test(sort)
        ? (['asc', 'desc'] as const)
        : (['desc', 'asc'] as const)
      const said = direction?.toLowerCase() ?? (edge && (lowest.test(edge) ? 'asc' : 'desc'))
      return usual
        .filter((order) => !said || order === said)
        .map((order) => ({
          ...list,
          order: { sort, order, words: `sorted by ${wordsOf(sort)}, ${order === 'asc' ? 'ascending' : 'descending'}` },
        }))
    }),
  )
  return readings.length ? { ...typed, text, readings } : null
}

/** The lists that words name, with their nouns. */
const listsNamed = (text: string, vocabulary: Vocabulary): { list: ListReading; entity: AnyEntity }[] =>
  listsOf(inPlural(text.split(/\s+/), vocabulary.entities), vocabulary, true).flatMap((list) => {
    const entity = entityOf(list.command, vocabulary.entities)
    return entity ? [{ list, entity }] : []
  })

/**
 * Lists with words for their order: `largest overdue`, `newest repayments laurel`, `last 5 repayments`, `invoices sorted by due
 * date`. Null without such words.
 */
export function readOrdered(typed: ParsedQuery, vocabulary: Vocabulary): ParsedQuery | null {
  const named = readByName(typed, vocabulary)
  if (named) return named
  const inFront = superlativeInFront(typed.text)
  const asked = superlatives.find(([words]) => words.test(inFront))
  if (!asked) return null
  const [words, by, order, said] = asked
  const count = words.exec(inFront)?.[1]
  const text = inFront.replace(words, '')
  const readings = listsNamed(text, vocabulary).flatMap(({ list, entity }): ListReading[] => {
    const sort = entity.orders?.[by]
    return sort ? [{ ...list, order: { sort, order, words: said, ...(count ? { count } : {}) } }] : []
  })
  return { ...typed, text, readings }
}
