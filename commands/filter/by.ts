import { z } from 'zod'
import { rangeProblem } from '#contract/date-range.ts'
import { centsSchema, choice, dateSchema, required, withFieldMeta } from '#contract/fields.ts'
import { type Filter, filterProblem, type FilterType, idOf, isValueless, typesTaken } from '#contract/filter.ts'
import { withList } from '#entities/with-list.ts'
import { notOffered } from '#kernel/availability.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const typeLabels: Record<FilterType, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  between: 'between',
  over: 'is over',
  under: 'is under',
  one_of: 'is one of',
  empty: 'is empty',
  not_empty: 'is not empty',
}

/** Schema of a filter's value, or of one bound of a range, as typed. */
function asTyped(filter: Filter): z.ZodType {
  const { kind } = filter.field
  if (kind === 'choices') return z.array(z.string()).min(1, required)
  if (kind === 'reference') return idOf(filter).clone()
  if (kind === 'money') return centsSchema.clone()
  if (kind === 'date-range') return dateSchema.clone()
  return z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(filter.types.includes('one_of') ? 4_000 : 200)
}

/** The form of a filter with these conditions: the condition if there are several, and its value or both bounds. */
function formFor(filter: Filter, types: Filter['types']): z.ZodObject {
  const { title, kind, ...more } = filter.field
  const [one, drawn] = kind === 'date-range' ? (['Date', 'date'] as const) : ([title, kind] as const)
  const condition = types.length > 1 ? { type: choice('Condition', types, typeLabels, { settled: true }) } : {}
  const valued = types.filter((type) => type !== 'between' && !isValueless(type))
  if (valued.length === types.length) return z.object({ ...condition, value: withFieldMeta(asTyped(filter), drawn, one, more) })
  const field = (named: string, asked: readonly unknown[]) =>
    withFieldMeta(asTyped(filter), drawn, named, { ...more, needed: true, when: { field: 'type', in: asked } }).optional()
  const value = field(one, valued)
  // A single condition is not asked for.
  const [from, to] = ['From', 'To'].map((named) => field(named, ['between', undefined]))
  const form: z.ZodObject = z.object({ ...condition, value, ...(types.includes('between') ? { from, to } : {}) })
  return form.superRefine((typed, { addIssue }) => {
    const type = types.find((each) => each === typed['type']) ?? types[0]
    if (isValueless(type)) return
    const range = type === 'between'
    const missing = (range ? ['from', 'to'] : ['value']).filter((name) => typed[name] === undefined)
    const halfRange = range && kind === 'date-range' ? rangeProblem('', '') : null
    for (const name of missing) addIssue({ code: 'custom', path: [name], message: halfRange ?? required })
    const message = range && missing.length === 0 ? filterProblem(filter, { type: 'between', value: settingValue(typed) }) : null
    if (message) addIssue({ code: 'custom', path: ['to'], message })
  })
}

/** The form's values as a value in the address: one value, a comma list, or both bounds of a range. */
const settingValue = ({ value, from, to }: Record<string, unknown>): string =>
  value === undefined ? `${from}..${to}` : Array.isArray(value) ? value.join(',') : String(value)

/** The setting of a filter from the form's values. */
function settingOf(type: FilterType, typed: Record<string, unknown>): { type: FilterType; value: string } {
  if (isValueless(type)) return { type, value: '' }
  const value = settingValue(typed)
  if (type !== 'one_of') return { type, value }
  const texts = value.split(/[,;\t\r\n]/).map((text) => text.trim())
  return { type, value: texts.filter(Boolean).join(',') }
}

/** A value in the address as the value of its field. */
function fieldOf({ field }: Filter, value: string) {
  if (field.kind === 'choices') return value.split(',')
  return field.kind === 'money' ? Number(value) : value
}

/** The form's values: the condition, if there are several, and the value by its fields. */
type Typed = { type?: FilterType } & Record<string, unknown>

function byFilter(entity: AnyEntity, filter: Filter) {
  // The open list knows what its own call supports: a list in a tab may use another call than the list of the noun.
  const taken = ({ supports, pane }: Pick<CommandContext, 'supports' | 'pane'>): readonly FilterType[] =>
    (pane?.entity === entity.name && pane.filters.find(({ id }) => id === filter.id)?.types) ||
    typesTaken(filter, (name) => supports(entity.list, name))
  return defineCommand<undefined, Typed>({
    id: `filter.by.${entity.name}.${filter.id}`,
    title: `Filter ${entity.many} by ${filter.title.toLowerCase()}`,
    icon: 'filter',
    reads: entity.list,
    ...(filter.needs ? { needs: filter.needs } : {}),
    unavailable: (context) => (taken(context).length > 0 ? null : { sentence: notOffered }),
    form: {
      schema: (context) => {
        const [first = filter.types[0], ...others] = taken(context)
        return formFor(filter, [first, ...others])
      },
      start: (_, context) => {
        const { pane } = context
        const set = pane?.entity === entity.name ? pane.set.find((each) => each.id === filter.id) : undefined
        const type = set?.type ?? taken(context)[0]
        const [first, second] =
          (type === 'between' ? set?.value.split('..') : set && [set.value])?.map((each) => fieldOf(filter, each)) ?? []
        return { type, ...(type === 'between' ? { from: first, to: second } : { value: first }) }
      },
    },
    act: (host, _, params) => host.filter(entity.name, filter.id, settingOf(params.type ?? filter.types[0], params)),
  })
}

/** One command per filter of every list that has a pane. */
export default withList.flatMap((entity) => entity.filters.map((filter) => byFilter(entity, filter)))
