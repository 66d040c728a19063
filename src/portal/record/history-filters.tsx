import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { type Filter, filterQuery, typesTaken } from '#contract/filter.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { oneTarget } from '#portal/list/target.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { Chip } from '#portal/list/chips.tsx'
import { filterText } from '#portal/format/filter-text.ts'
import { goodFilters, ownSearch, type ReadFilter, readFilters } from '#portal/list/filters.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** The noun's filters of its history, as far as the API supports them. */
export function useEventFilters({ events, eventFilters }: AnyEntity): readonly Filter[] {
  const supports = useAtomValue(capabilitiesAtom, { store })
  return useMemo(
    () => (eventFilters ?? []).filter((filter) => events && typesTaken(filter, (name) => supports(events, name)).length > 0),
    [events, eventFilters, supports],
  )
}

/** The history filters in the address, with their query parameters. */
export function useHistoryFilters(filters: readonly Filter[]): { set: readonly ReadFilter[]; query: Record<string, string> } {
  const search = useAtomValue(locationAtom, { store }).searchParams
  const held = useAtomValue(heldAtom, { store })
  return useMemo(() => {
    const set = readFilters(filters, ownSearch(new URLSearchParams(search), 'history-'), held)
    const query: Record<string, string> = {}
    for (const good of goodFilters(set)) {
      const filter = filters.find(({ id }) => id === good.id)
      if (filter) Object.assign(query, filterQuery(filter, good))
    }
    return { set, query }
  }, [filters, search, held])
}

interface HistoryFiltersProps {
  entity: string
  id: string
  set: readonly ReadFilter[]
}

/** The initial values of the filter command: the current ones, without one that is being removed. */
const valuesOf = (set: readonly ReadFilter[], less?: string): Record<string, string[]> =>
  Object.fromEntries(
    set.flatMap(({ id, filter, type, value, problem }) => {
      if (problem || id === less) return []
      const named = value.split(',')
      const others = filter?.field.options?.map((option) => option.value).filter((each) => !named.includes(each)) ?? []
      return [[id, type === 'is_not' ? others : named]]
    }),
  )

/** The filters of a history as chips, and the button that changes them. */
export function HistoryFilters({ entity, id, set }: HistoryFiltersProps) {
  const targets = oneTarget(entity, id)
  const command = `history.filter.${entity}`
  const open = () => startCommand(command, { targets, params: valuesOf(set) })
  const clear = (only: string) => startCommand(command, { targets, params: valuesOf(set, only), complete: true })
  return (
    <div className="history-filters">
      <section className="chips" data-chips aria-label="Filters">
        {set.map((filter) => {
          const [head, body] = filterText(filter)
          return (
            <Chip
              key={filter.id}
              head={head}
              body={body}
              problem={filter.problem}
              onRemove={() => clear(filter.id)}
              onOpen={open}
              leave={focusRecord}
            />
          )
        })}
      </section>
      <button type="button" className="tool" onClick={open}>
        <Icon name="filter" />
        <span className="tool-word">Filter</span>
      </button>
    </div>
  )
}

/** Removes all filters of a history. */
export const clearHistoryFilters = (entity: string, id: string): void =>
  startCommand(`history.filter.${entity}`, { targets: oneTarget(entity, id), params: {}, complete: true })
