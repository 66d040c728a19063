import type { Filter, FilterSetting } from '#contract/filter.ts'
import { recordNamed } from '#kernel/filter-records.ts'
import { fold } from '#kernel/fold.ts'
import type { FindRecord, Named } from '#kernel/sentence/arguments.ts'

/** A record that words beside a list name, as the value of a filter. */
export interface NamedValue {
  setting: FilterSetting
  title: string
  /** Whether the filter or the whole name of the record was typed: otherwise a text search finds more, and comes first. */
  isExact: boolean
  /** The words that are not its name. */
  q: string
}

/** The words between two names: `birch or acme`. */
export const betweenNames = /(?<=\S),? (?:and|or) (?=\S)|(?<=\S), ?(?=\S)/i

/** Maximum number of records with a name that are offered as filters. */
const maxNamed = 3

/**
 * The records that words name as values of the reference filters of a list: `birch foods`, `employer 100157`, or several of one
 * filter, `birch or acme`, if each name is that of one record. `find` looks a name up; `searching` is called for one that is still
 * being looked up.
 */
export function valuesNamed(
  words: string,
  filters: readonly Filter[],
  { find, searching = () => {} }: { find: FindRecord; searching?: () => void },
): NamedValue[] {
  const said = recordNamed(words, filters)
  // A number without the name of a filter is an id or part of any other number.
  const by = said ? [said.filter] : /\p{L}{2}/u.test(words) ? filters.filter(({ field }) => field.kind === 'reference') : []
  const text = said?.words ?? words
  const names = text.split(betweenNames)
  const values = by.flatMap(({ id, field }) => {
    const each = names.map((name) => find(field, name))
    if (each.includes(undefined)) searching()
    const named = names.length === 1 ? (each[0] ?? []) : together(each)
    return named.map(({ id: value, title }) => ({
      ...{ setting: { id, type: 'is' as const, value }, title, q: said?.before ?? '' },
      isExact: said !== null || names.length > 1 || fold(title) === fold(text),
    }))
  })
  return [...values.filter(({ isExact }) => isExact), ...values.filter(({ isExact }) => !isExact)].slice(0, maxNamed)
}

/** The records of several names as one value, if each name is that of one record. */
function together(each: readonly (readonly Named[] | undefined)[]): readonly Named[] {
  const only = each.flatMap((records = []) => (records.length === 1 ? records : []))
  if (only.length < each.length) return []
  return [{ id: only.map(({ id }) => id).join(','), title: only.map(({ title }) => title).join(' or ') }]
}
