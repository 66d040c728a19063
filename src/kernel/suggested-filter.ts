import { filterQuery, type Takes } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** Query parameters for the most likely targets of a command; empty if it has no suggestion. */
export function likelyQuery({ on, suggestedFilter = {} }: Command & { on: AnyEntity }, takes?: Takes): Record<string, string> {
  const query = on.filters.map((filter) => {
    const value = suggestedFilter[filter.id]
    return value ? filterQuery(filter, { id: filter.id, type: 'is', value }, takes) : {}
  })
  return Object.assign({}, ...query)
}
