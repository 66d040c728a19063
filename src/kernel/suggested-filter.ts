import { type Filter, filterQuery, type FilterSetting, type Takes } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The filters by which the most likely targets of a command are found, of those given; empty if it has no suggestion. */
export const likelySet = ({ suggestedFilter = {} }: Command, filters: readonly Filter[]): FilterSetting[] =>
  filters.flatMap(({ id }) => (suggestedFilter[id] ? [{ id, type: 'is' as const, value: suggestedFilter[id] }] : []))

/** The same as query parameters. */
export function likelyQuery(command: Command & { on: AnyEntity }, takes?: Takes): Record<string, string> {
  const { filters } = command.on
  const query = filters.flatMap((filter) => likelySet(command, [filter]).map((setting) => filterQuery(filter, setting, takes)))
  return Object.assign({}, ...query)
}
