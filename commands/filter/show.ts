import { type FilterSetting, narrowing } from '#contract/filter.ts'
import { namedViews, viewIn } from '#contract/named-views.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** One status of a list, in the sort order of the equivalent named view. */
function searchFor({ path }: AnyEntity, status: string): string {
  const search = `status_type=is&status_value=${status}`
  return viewIn(namedViews[path] ?? [], new URLSearchParams(search))?.search ?? search
}

interface Shown {
  id: string
  title: string
  search: string
  aliases?: readonly string[]
}

interface ShowParams {
  q?: string
  set?: readonly FilterSetting[]
  sort?: string
  order?: 'asc' | 'desc'
}

/** The search of an address with optional further filters, search text and sort order. */
function narrowedBy(search: string, { set = [], q, sort, order }: ShowParams): URLSearchParams {
  const narrowed = new URLSearchParams(search)
  const ordered = sort && order ? { sort, order } : {}
  for (const [name, value] of Object.entries({ ...narrowing(set, q), ...ordered })) narrowed.set(name, value)
  return narrowed
}

/** Shows a part of a list, optionally with further filters in `set`, the search text `q`, and another sort order. */
const show = (entity: AnyEntity, { id, title, search, aliases }: Shown) =>
  defineCommand<undefined, ShowParams>({
    id: `filter.show.${entity.name}.${id}`,
    title: `Show ${title} ${entity.many}`,
    ...(aliases ? { aliases } : {}),
    icon: entity.icon,
    reads: entity.list,
    act: (host, _, params) => host.open(`${entity.path}?${narrowedBy(search, params)}`),
  })

/** Open invoices are a named view, since they have no status of their own. */
const openInvoices = namedViews['/invoices']?.find(({ id }) => id === 'open')

/** 'Show all employees', 'Show paused employees', 'Show overdue invoices': one command per status of a list, and one for all rows. */
const shows = (entity: AnyEntity) => [
  show(entity, { id: 'all', title: 'all', search: '' }),
  ...(openInvoices && entity.path === '/invoices'
    ? [
        show(entity, {
          ...openInvoices,
          title: 'open',
          aliases: ['unpaid invoices', 'outstanding invoices', 'owed invoices', 'owes', 'owe'],
        }),
      ]
    : []),
  ...(entity.filters.find((filter) => filter.id === 'status')?.field.options ?? []).map(({ value, label }) =>
    show(entity, { id: value.toLowerCase().replaceAll('_', '-'), title: label.toLowerCase(), search: searchFor(entity, value) }),
  ),
]

export default withList.flatMap(shows)
