import { filterQuery, type Takes } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The parameters that ask the list of its noun for what a command can most likely be done to (D495); empty where it says nothing of that. */
export function likelyQuery({ on, suggestedFilter = {} }: Command & { on: AnyEntity }, takes?: Takes): Record<string, string> {
  const query = on.filters.map((filter) => {
    const value = suggestedFilter[filter.id]
    return value ? filterQuery(filter, { id: filter.id, type: 'is', value }, takes) : {}
  })
  return Object.assign({}, ...query)
}
