import { filtersTaken, type Takes } from '#contract/filter.ts'
import type { NamedView } from '#contract/named-views.ts'
import { type capabilitiesAtom, searchedBy } from '#portal/api/capabilities.ts'
import type { ListDefinition } from '#portal/list/definition.ts'

type Capabilities = ReturnType<(typeof capabilitiesAtom)['read']>
const reduced = new WeakMap<Capabilities, WeakMap<ListDefinition, ListDefinition>>()

/** A definition without the filters, named views, orders and search that the API does not support. Memoized per definition. */
export function offered<Definition extends ListDefinition>(definition: Definition, supports: Capabilities): Definition {
  const known = reduced.get(supports) ?? new WeakMap<ListDefinition, ListDefinition>()
  reduced.set(supports, known)
  const before = known.get(definition)
  if (before) return before as Definition
  const takes: Takes = (name) => supports(definition.source.endpoint, name)
  const filters = filtersTaken(definition.filters, takes)
  const shows = ({ search }: NamedView): boolean =>
    [...new URLSearchParams(search)].every(([name, type]) => {
      const id = /^(.+)_type$/.exec(name)?.[1]
      return id === undefined || filters.some((filter) => filter.id === id && filter.types.some((each) => each === type))
    })
  const made = {
    ...definition,
    filters,
    searched: definition.searched && searchedBy(definition.source.endpoint) !== null,
    sorts: takes('sort') ? definition.sorts : [],
    ...(definition.named ? { named: definition.named.filter(shows) } : {}),
  }
  known.set(definition, made)
  return made
}
