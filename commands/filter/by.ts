import { z } from 'zod'
import { centsSchema, choice, dateSchema, fieldMeta, required } from '#contract/fields.ts'
import { type Filter, type FilterType, idOf, typesTaken } from '#contract/filter.ts'
import { withList } from '#entities/with-list.ts'
import { notOffered } from '#kernel/availability.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

const typeLabels: Record<FilterType, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  between: 'between',
  over: 'is over',
  under: 'is under',
}

/** The schema of a filter's value, as a person gives it. */
function typedValue(filter: Filter): { shape: z.ZodRawShape; text: (params: Record<string, unknown>) => string } {
  if (filter.types.includes('between')) {
    const from = dateSchema.clone()
    const to = dateSchema.clone()
    fieldMeta.add(from, { kind: 'date', title: 'From' })
    fieldMeta.add(to, { kind: 'date', title: 'To' })
    return { shape: { from, to }, text: ({ from, to }) => `${from}..${to}` }
  }
  const value =
    filter.field.kind === 'choices'
      ? z.array(z.string()).min(1, required)
      : filter.field.kind === 'reference'
        ? idOf(filter).clone()
        : filter.field.kind === 'money'
          ? centsSchema.clone()
          : z.string({ error: required }).trim().min(1, required).max(200)
  fieldMeta.add(value, filter.field)
  return { shape: { value }, text: ({ value }) => (Array.isArray(value) ? value.join(',') : String(value)) }
}

/** A value of the address as its field holds it. */
const startOf = ({ field }: Filter, value: string) =>
  field.kind === 'choices' ? value.split(',') : field.kind === 'money' ? Number(value) : value

/** What the form gives: the condition, where there are several, and the value by its fields. */
type Typed = { type?: FilterType } & Record<string, unknown>

function byFilter(entity: AnyEntity, filter: Filter) {
  const { shape, text } = typedValue(filter)
  const several = filter.types.length > 1
  const kind = choice('Condition', filter.types, typeLabels, { settled: true })
  const form = z.object(several ? { type: kind, ...shape } : shape)
  const checked = filter.types.includes('between')
    ? form.refine((params) => String(params['to']) > String(params['from']), {
        path: ['to'],
        message: 'The end must be after the start.',
      })
    : form
  return defineCommand<undefined, Typed>({
    id: `filter.by.${entity.name}.${filter.id}`,
    title: `Filter ${entity.many} by ${filter.title.toLowerCase()}`,
    icon: 'filter',
    group: 'Filters',
    reads: entity.list,
    ofPane: entity.name,
    filter: filter.id,
    ...(filter.needs ? { also: filter.needs } : {}),
    unavailable: ({ offers }) =>
      typesTaken(filter, (name) => offers(entity.list, name)).length > 0 ? null : { sentence: notOffered },
    form: checked,
    start: (_, { pane }) => {
      const set = pane?.entity === entity.name ? pane.set.find((each) => each.id === filter.id) : undefined
      if (!set) return several ? { type: filter.types[0] } : {}
      const [from, to] = set.value.split('..')
      const value = filter.types.includes('between') ? { from, to } : { value: startOf(filter, set.value) }
      return several ? { type: set.type, ...value } : value
    },
    act: (desk, _, params) =>
      desk.filter(entity.name, filter.id, {
        type: params.type ?? filter.types[0],
        value: text(params),
      }),
  })
}

/** One command for every filter of every list that has a pane. */
export default withList.flatMap((entity) => entity.filters.map((filter) => byFilter(entity, filter)))
