import { namedViews, viewIn } from '#contract/named-views.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** One status of a list, in the order of the view that is the same. */
function searchFor({ path }: AnyEntity, status: string): string {
  const search = `status_type=is&status_value=${status}`
  return viewIn(namedViews[path] ?? [], new URLSearchParams(search))?.search ?? search
}

/** Shows a part of a list, and of it what has `q`, where that is given. */
const show = (entity: AnyEntity, { id, title, search }: { id: string; title: string; search: string }) =>
  defineCommand<undefined, { q?: string }>({
    id: `filter.show.${entity.name}.${id}`,
    title: `Show ${title} ${entity.many}`,
    icon: entity.icon,
    group: 'Filters',
    reads: entity.list,
    act: (desk, _, { q }) => desk.open(`${entity.path}?${search}${q ? `&${new URLSearchParams({ q })}` : ''}`),
  })

/** 'Show all employees', 'Show paused employees', 'Show overdue invoices': one command for every status of a list, and one for all. */
const shows = (entity: AnyEntity) => [
  show(entity, { id: 'all', title: 'all', search: '' }),
  ...(entity.filters.find((filter) => filter.id === 'status')?.field.options ?? []).map(({ value, label }) =>
    show(entity, { id: value.toLowerCase().replaceAll('_', '-'), title: label.toLowerCase(), search: searchFor(entity, value) }),
  ),
]

export default withList.flatMap(shows)
