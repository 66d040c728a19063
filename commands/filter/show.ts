import { namedViews, viewIn } from '#contract/named-views.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** One status of a list, in the order of the view that is the same. */
function searchFor({ path }: AnyEntity, status: string): string {
  const search = `status_type=is&status_value=${status}`
  return viewIn(namedViews[path] ?? [], new URLSearchParams(search))?.search ?? search
}

/** 'Show paused employees', 'Show overdue invoices': one command for every status of a list; of these what has `q`, where it is given. */
const byStatus = (entity: AnyEntity) =>
  (entity.filters.find((filter) => filter.id === 'status')?.field.options ?? []).map(({ value, label }) =>
    defineCommand<undefined, { q?: string }>({
      id: `filter.show.${entity.name}.${value.toLowerCase().replaceAll('_', '-')}`,
      title: `Show ${label.toLowerCase()} ${entity.many}`,
      icon: entity.icon,
      group: 'Filters',
      reads: entity.list,
      act: (desk, _, { q }) =>
        desk.open(`${entity.path}?${searchFor(entity, value)}${q ? `&${new URLSearchParams({ q })}` : ''}`),
    }),
  )

export default withList.flatMap(byStatus)
