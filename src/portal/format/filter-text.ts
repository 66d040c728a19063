import { dateSchema } from '#contract/fields.ts'
import { type Filter, isValueless } from '#contract/filter.ts'
import { formatCents } from '#domain/money.ts'
import { shortDate } from '#portal/format/dates.ts'

/** A filter that is set, as in the address; null for one that the list does not have. */
interface SetFilter {
  filter: Filter | null
  title: string
  type: string
  value: string
}

/** The value of a filter as text. */
function valueWords(filter: Filter | null, value: string): string {
  const { kind, labels = {} } = filter?.field ?? {}
  if (kind === 'choices')
    return value
      .split(',')
      .map((each) => labels[each.trim()] ?? each)
      .join(', ')
  if (kind === 'money' && /^-?\d+$/.test(value)) return formatCents(Number(value))
  return kind === 'date-range' && dateSchema.safeParse(value).success ? shortDate(value) : value
}

/** A filter as text: `Status is not` and `Deleted`, `Due date` and `2 Nov 2026 to 29 Nov 2026`. */
export function filterText({ filter, title, type, value }: SetFilter): [string, string] {
  if (isValueless(type)) return [title, type === 'empty' ? 'is empty' : 'is not empty']
  const is = type === 'between' ? '' : type === 'one_of' ? 'is one of' : type.replace('_', ' ')
  const words = type === 'between' ? value.split('..') : [value]
  return [`${title} ${is}`.trim(), words.map((each) => valueWords(filter, each)).join(' to ')]
}
