import { filtersTaken, type Takes } from '#contract/filter.ts'
import type { NamedView } from '#contract/named-views.ts'
import { type offersAtom, searchedBy } from '#portal/api/capabilities.ts'
import type { ListDefinition } from '#portal/list/definition.ts'

type Offers = ReturnType<(typeof offersAtom)['read']>
const reduced = new WeakMap<Offers, WeakMap<ListDefinition, ListDefinition>>()

/**
 * A list as the API behind the portal has it: without the filters, named views, orders and search that it does not take.
 * The same definition answers the same object.
 */
export function offered<Definition extends ListDefinition>(definition: Definition, offers: Offers): Definition {
  const known = reduced.get(offers) ?? new WeakMap<ListDefinition, ListDefinition>()
  reduced.set(offers, known)
  const before = known.get(definition)
  if (before) return before as Definition
  const takes: Takes = (name) => offers(definition.source.endpoint, name)
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
