import { z } from 'zod'
import type { AnyEndpoint } from '#contract/define.ts'
import { fieldMeta } from '#contract/fields.ts'
import { type Filter, openOptions } from '#contract/filter.ts'
import { listTimeline, timelineFilters } from '#contract/timeline.ts'
import { listUserEvents, userEventFilters } from '#contract/users.ts'
import { employee } from '#entities/employee.ts'
import { user } from '#entities/user.ts'
import { notOffered } from '#kernel/availability.ts'
import { defineCommand } from '#kernel/command.ts'
import { type Entity, pathOf } from '#kernel/entity.ts'

/** The field of a filter over a closed set; an empty choice removes the filter. */
function chosen({ field }: Filter): z.ZodType<string[] | undefined> {
  const values = z.array(z.string())
  fieldMeta.add(values, field)
  return values.optional()
}

/** Filters the history of a record that a call returns: opens its tab, with the filters in the address. */
function filterHistory<T>(on: Entity<T>, reads: AnyEndpoint, all: readonly Filter[]) {
  const filters = all.filter(({ field }) => field.kind === 'choices')
  return defineCommand<T, Record<string, string[] | undefined>>({
    id: `history.filter.${on.name}`,
    title: `Filter ${on.one} history`,
    aliases: [`${on.one} events`, 'filter events'],
    icon: 'filter',
    on,
    reads,
    unavailable: ({ supports }) => (filters.every(({ id }) => supports(reads, id)) ? null : { sentence: notOffered }),
    form: ({ held }) => z.object(Object.fromEntries(filters.map((filter) => [filter.id, chosen(openOptions(filter, held))]))),
    act: (host, one, params) => {
      const here = new URL(host.address())
      const path = pathOf(on, on.id(one))
      const search = here.pathname === path ? here.searchParams : new URLSearchParams()
      search.set('tab', 'history')
      for (const { id } of filters) {
        search.delete(`history-${id}_type`)
        search.delete(`history-${id}_value`)
        const values = params[id] ?? []
        if (values.length === 0) continue
        search.set(`history-${id}_type`, 'is')
        search.set(`history-${id}_value`, values.join(','))
      }
      host.open(`${path}?${search}`)
    },
  })
}

/** One command per noun with a filterable history. */
export default [filterHistory(employee, listTimeline, timelineFilters), filterHistory(user, listUserEvents, userEventFilters)]
