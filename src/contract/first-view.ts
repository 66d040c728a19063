import { type Filter, type FilterType, filterQuery, type Takes } from '#contract/filter.ts'
import { namedViews } from '#contract/named-views.ts'

/** The parameters of a list's first view, its filters and its sort order: open work. Empty if the list has no views. */
export function firstViewOf(path: string, filters: readonly Filter[], takes?: Takes): Record<string, string> {
  const search = new URLSearchParams(namedViews[path]?.[0]?.search)
  const query = filters.map((filter) => {
    const [type, value] = ['type', 'value'].map((part) => search.get(`${filter.id}_${part}`))
    return type && value ? filterQuery(filter, { id: filter.id, type: type as FilterType, value }, takes) : {}
  })
  const sort = search.get('sort')
  return Object.assign({}, ...query, sort ? { sort } : {})
}
