import { z } from 'zod'
import { brands } from '#domain/brand.ts'
import { may, type Need } from '#domain/permissions.ts'
import { rangeProblem } from '#contract/date-range.ts'
import { type FieldMeta, centsSchema, dateSchema, idSchema, noAmount, noDate, personIdSchema } from '#contract/fields.ts'
import { commaList } from '#contract/list.ts'

export type FilterType = 'is' | 'is_not' | 'contains' | 'one_of' | 'between' | 'over' | 'under' | 'empty' | 'not_empty'

/** Whether a condition has no value. */
export const isValueless = (type: string): boolean => type === 'empty' || type === 'not_empty'

/**
 * One filter of a list, as data: the address, the chip, the form and the server's query are derived from it. `Query` is the
 * type of its query parameters, so that a server list that ignores one does not compile.
 */
export interface Filter<Query extends object = object> {
  /** Phantom property for the type. */
  readonly query?: Query
  /** In the address as `{id}_type` and `{id}_value` (SCR-072). */
  id: string
  title: string
  types: readonly [FilterType, ...FilterType[]]
  /** Field that asks for its value. */
  field: FieldMeta
  /** Query parameters by type; `between` has two: from and to, or over and under for an amount. */
  params: Partial<Record<FilterType, readonly string[]>>
  /** Without these permissions the filter is not offered, and refused: filtering by a masked field would reveal it. */
  needs?: Need
  /** Values that a row may have in addition to one of the others: derived states. */
  overlapping?: readonly string[]
  /** For a reference: the schema of its ids, if they are not numbers. */
  ids?: typeof personIdSchema
  /** Other words for its values; with `!` before the value, for all others: `inactive`. */
  synonyms?: Synonyms
  /** Permissions of some of its values: without them no visible row has the value, so it is not offered. */
  optionNeeds?: Readonly<Record<string, Need>>
}

/** Other words for the values of a filter, by value. */
export type Synonyms = Readonly<Record<string, readonly string[]>>

/** A filter that is set. `value` as in the address: comma list, text, a day, cents, or an inclusive range `from..to`. */
export interface FilterSetting {
  id: string
  type: FilterType
  value: string
}

/** Several texts, as a comma list. */
const textList = commaList<z.ZodType<string>>(z.string().min(1).max(200))

/** The schema of one id of a reference. */
export const idOf = ({ ids }: Pick<Filter, 'ids'>) => ids ?? idSchema

/** Validates a setting's value; null if valid, else the message (VAL-002, VAL-003). */
export function filterProblem(filter: Filter, setting: { type: FilterType; value: string }): string | null {
  if (!filter.types.includes(setting.type)) return 'This filter cannot do that.'
  if (isValueless(setting.type)) return null
  if (setting.value.trim() === '') return 'This is a required field.'
  const { kind } = filter.field
  const isRange = setting.type === 'between'
  const ends = isRange ? setting.value.split('..') : [setting.value]
  const [from = '', to = ''] = ends
  if (setting.type === 'one_of')
    return textList.safeParse(setting.value).success ? null : 'Enter at most 200 texts, separated by commas.'
  const isWrong = (schema: z.ZodType) => ends.some((each) => each && !schema.safeParse(each).success)
  if (kind === 'date-range') return isWrong(dateSchema) ? noDate : isRange ? rangeProblem(from, to) : null
  if (kind === 'money' && isWrong(centsSchema)) return noAmount
  if (kind === 'reference' && isWrong(commaList<z.ZodType>(idOf(filter)))) return 'Enter an id.'
  return isRange && !(Number(to) > Number(from)) ? 'The end must be above the start.' : null
}

/** Whether an API supports a parameter of a list. */
export type Takes = (parameter: string) => boolean

/** Filter types available if an API supports only some parameters; 'is not' may also be sent as all other values. */
export const typesTaken = (filter: Filter, takes: Takes): FilterType[] =>
  filter.types.filter((type) => {
    const taken = (each: FilterType) => (filter.params[each] ?? []).every(takes)
    return taken(type) || (type === 'is_not' && filter.field.kind === 'choices' && taken('is'))
  })

/** The filters of a list that an API supports. */
export const filtersTaken = (filters: readonly Filter[], takes: Takes): Filter[] =>
  filters.flatMap((filter) => {
    const [first, ...others] = typesTaken(filter, takes)
    return first ? [{ ...filter, types: [first, ...others] as const }] : []
  })

/** The parameters of a filter in the address (SCR-072), null to remove them. */
export const addressOf = (id: string, setting: Pick<FilterSetting, 'type' | 'value'> | null) => ({
  [`${id}_type`]: setting?.type ?? null,
  [`${id}_value`]: setting?.value ?? null,
})

/** The address parameters of filters and of a search text, if there is one. */
export const narrowing = (set: readonly FilterSetting[], q = ''): Record<string, string> =>
  Object.assign(q ? { q } : {}, ...set.map((each) => addressOf(each.id, each)))

/** The query parameters of a setting. */
export function filterQuery(filter: Filter, setting: FilterSetting, takes: Takes = () => true): Record<string, string> {
  const names = filter.params[setting.type] ?? []
  if (setting.type === 'is_not' && names.length > 0 && !names.every(takes)) {
    const not = setting.value.split(',').map((value) => value.trim())
    const others = (filter.field.options ?? []).map(({ value }) => value).filter((value) => !not.includes(value))
    const value = others.filter((each) => !filter.overlapping?.includes(each)).join(',')
    return filterQuery(filter, { ...setting, type: 'is', value }, takes)
  }
  if (isValueless(setting.type)) return Object.fromEntries(names.map((name) => [name, setting.type === 'empty' ? 'YES' : 'NO']))
  if (setting.type === 'between') {
    // Both bounds are inclusive, while over and under are exclusive.
    const [from = '', to = ''] = setting.value.split('..')
    const ends = filter.field.kind === 'money' ? [Number(from) - 1, Number(to) + 1] : [from, to]
    return Object.fromEntries(names.map((name, at) => [name, String(ends[at])]))
  }
  return names[0] ? { [names[0]]: setting.value } : {}
}

interface ChoiceInput<Id extends string, Param extends string> {
  id: Id
  title: string
  /** Its values and their labels, together or apart. */
  of?: { values: readonly string[]; labels: Readonly<Record<string, string>> }
  values?: readonly string[]
  labels?: Readonly<Record<string, string>>
  /** Its parameter; defaults to the filter's id. */
  param?: Param
  needs?: Need
  overlapping?: readonly string[]
  synonyms?: Synonyms
  optionNeeds?: Readonly<Record<string, Need>>
}

/** Query parameters of a choice: included and excluded values. */
type Chosen<Param extends string> = { [Name in Param | `${Param}-not`]?: string[] }

/** A filter over a closed set of values: is, is not. */
export function choiceFilter<const Id extends string, const Param extends string = Id>(
  input: ChoiceInput<Id, Param>,
): Filter<Chosen<Param>> {
  const {
    id,
    title,
    of,
    values = of?.values ?? [],
    labels = of?.labels ?? {},
    param = id,
    needs,
    overlapping,
    synonyms,
    optionNeeds,
  } = input
  return {
    id,
    title,
    types: ['is', 'is_not'],
    field: { kind: 'choices', title, labels, options: values.map((value) => ({ value, label: labels[value] ?? value })) },
    params: { is: [param], is_not: [`${param}-not`] },
    ...(needs ? { needs } : {}),
    ...(overlapping ? { overlapping } : {}),
    ...(synonyms ? { synonyms } : {}),
    ...(optionNeeds ? { optionNeeds } : {}),
  }
}

/** A filter reduced to the values that a person may ask for. */
export const openOptions = <Of extends Filter>(filter: Of, held: ReadonlySet<number>): Of => {
  const { field, optionNeeds } = filter
  if (!optionNeeds) return filter
  const open = (value: string) => {
    const need = optionNeeds[value]
    return !need || may(held, need) === 'yes'
  }
  return { ...filter, field: { ...field, options: field.options?.filter(({ value }) => open(value)) } }
}

/** A filter by a flag. */
export const yesNoFilter = <const Id extends string, const Param extends string = Id>(
  id: Id,
  title: string,
  param?: Param,
  synonyms?: Synonyms,
): Filter<Chosen<Param>> => {
  const more = { ...(param ? { param } : {}), ...(synonyms ? { synonyms } : {}) }
  return choiceFilter({ id, title, values: ['YES', 'NO'], labels: { YES: 'Yes', NO: 'No' }, ...more })
}

/** What a record with a status is called while it is not active. */
export const inactive: Synonyms = { '!ACTIVE': ['inactive'] }

/** `not linked`, `without account`, `without an account`: words for records without one of these. */
export const withoutOne = (nouns: readonly string[]): string[] => [
  'not linked',
  ...nouns.flatMap((noun) => ['', 'a ', 'an '].map((article) => `without ${article}${noun}`)),
]

const referenceBy = (id: string, title: string, entity: string, param: string): Filter => ({
  id,
  title,
  types: ['is'],
  field: { kind: 'reference', title, entity },
  params: { is: [param] },
})

/** A filter by other entities, chosen by search. */
export const referenceFilter: <const Param extends string>(
  id: string,
  title: string,
  entity: string,
  param: Param,
) => Filter<{ [Name in Param]?: number[] }> = referenceBy

/**
 * A filter by the ids of the rows themselves. It is set by the command that shows the selected rows, and offered neither in the
 * palette nor as a form.
 */
export const rowsFilter = (title: string, entity: string, ids?: typeof personIdSchema): Filter => ({
  ...referenceBy('id', title, entity, 'id'),
  ...(ids ? { ids } : {}),
})

/** A filter by staff members, chosen by search. */
export const personFilter = <const Param extends string>(
  id: string,
  title: string,
  entity: string,
  param: Param,
  needs: Need,
): Filter<{ [Name in Param]?: string[] }> => ({
  ...referenceBy(id, title, entity, param),
  ids: personIdSchema,
  needs,
})

/** A filter by text that a field contains. */
export const textFilter = <const Param extends string>(
  id: string,
  title: string,
  param: Param,
): Filter<{ [Name in Param]?: string }> => ({
  id,
  title,
  types: ['contains'],
  field: { kind: 'text', title },
  params: { contains: [param] },
})

/** A filter by an equal text, such as an id. */
export const sameFilter = <const Param extends string>(
  id: string,
  title: string,
  param: Param,
): Filter<{ [Name in Param]?: string }> => ({
  id,
  title,
  types: ['is'],
  field: { kind: 'text', title },
  params: { is: [param] },
})

/** A filter by a date: an inclusive range, or one day. Its parameters start with its id by default. */
export const dateFilter = <const Id extends string, const Param extends string = Id>(
  id: Id,
  title: string,
  param: Id | Param = id,
): Filter<{ [Name in `${Param}-${'from' | 'to' | 'on'}`]?: string }> => ({
  id,
  title,
  types: ['between', 'is'],
  field: { kind: 'date-range', title },
  params: { between: [`${param}-from`, `${param}-to`], is: [`${param}-on`] },
})

/** A filter by an amount in cents: over, under, or an inclusive range, but not equality. */
export const amountFilter = <const Id extends string>(
  id: Id,
  title: string,
): Filter<{ [Name in `${Id}-over` | `${Id}-under`]?: number }> => {
  const [over, under] = [`${id}-over`, `${id}-under`]
  return {
    id,
    title,
    types: ['over', 'under', 'between'],
    field: { kind: 'money', title },
    params: { over: [over], under: [under], between: [over, under] },
  }
}

/** The same filter with 'is empty' and 'is not empty', for a field that may have no value. */
export const orEmpty = <Query extends object, const Param extends string>(
  filter: Filter<Query>,
  param: Param,
): Filter<Query & { [Name in `${Param}-empty`]?: 'YES' | 'NO' }> => ({
  ...filter,
  types: [...filter.types, 'empty', 'not_empty'],
  params: { ...filter.params, empty: [`${param}-empty`], not_empty: [`${param}-empty`] },
})

/** The same filter with 'is one of', for codes and addresses that people have as a list; compared as a whole, ignoring case. */
export const orOneOf = <Query extends object, const Param extends string>(
  filter: Filter<Query>,
  param: Param,
): Filter<Query & { [Name in `${Param}-in`]?: string[] }> => ({
  ...filter,
  types: [...filter.types, 'one_of'],
  params: { ...filter.params, one_of: [`${param}-in`] },
})

type QueryOfEach<Filters extends readonly Filter[]> = {
  [Index in keyof Filters]: (query: Filters[Index] extends Filter<infer Query> ? Query : never) => void
}
/** Type of all query parameters of the filters. */
type QueryOfAll<Filters extends readonly Filter[]> = QueryOfEach<Filters>[number] extends (query: infer Query) => void
  ? Query
  : never

/** The query schema of a list's filters, for the endpoint. */
export function filterParams<const Filters extends readonly Filter[]>(
  filters: Filters,
): { [Name in keyof QueryOfAll<Filters>]-?: z.ZodOptional<z.ZodType<NonNullable<QueryOfAll<Filters>[Name]>>> } {
  const shape: Record<string, z.ZodType> = {}
  for (const filter of filters) {
    for (const [type, names] of Object.entries(filter.params)) {
      for (const name of names ?? []) {
        shape[name] = isValueless(type)
          ? z.enum(['YES', 'NO']).optional()
          : type === 'one_of'
            ? textList.optional()
            : filter.field.kind === 'choices'
              ? commaList(z.enum(filter.field.options?.map((option) => option.value) as [string, ...string[]])).optional()
              : filter.field.kind === 'reference'
                ? commaList<z.ZodType>(idOf(filter)).optional()
                : filter.field.kind === 'date-range'
                  ? dateSchema.optional()
                  : filter.field.kind === 'money'
                    ? centsSchema.optional()
                    : z.string().trim().min(1).max(200).optional()
      }
    }
  }
  return shape as never
}

/** The filter by brand of every noun that has one. */
export const brandFilter = choiceFilter({
  id: 'brand',
  title: 'Brand',
  values: brands.map(({ id }) => id),
  labels: Object.fromEntries(brands.map(({ id, name }) => [id, name])),
})
