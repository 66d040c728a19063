import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { pluralize } from '#kernel/pluralize.ts'
import { everything } from '#portal/platform/bundle.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { filterText } from '#portal/format/filter-text.ts'
import type { ReadFilter } from '#portal/list/filters.ts'
import { activeListAtom, focusList } from '#portal/list/lists.ts'
import type { List } from '#portal/list/list.ts'
import { openFilters } from '#portal/platform/commands.ts'
import { isNotThere } from '#portal/records/read-one.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** Maximum number of records that a chip names. */
const maxNamed = 5

/** The names for the ids of a reference filter once loaded; null until then. */
function useNames(filter: ReadFilter): string | null {
  const entity =
    filter.filter?.field.kind === 'reference' && !filter.problem && filter.value ? filter.filter.field.entity : undefined
  const [names, setNames] = useState<{ of: string; text: string } | null>(null)
  const { value } = filter
  useEffect(() => {
    if (!entity) return
    const ids = value.split(',')
    if (ids.length > maxNamed) {
      setNames({ of: value, text: pluralize(ids.length, entityByName(entity)) })
      return
    }
    let here = true
    const name = async (id: string) => {
      await everything()
      const known = entityByName(entity)
      return known.title(await loadRecord(known, id))
    }
    void Promise.all(ids.map((id) => name(id.trim()).catch((error) => (isNotThere(error) ? `${id} (out of reach)` : id)))).then(
      (titles) => here && setNames({ of: value, text: titles.join(', ') }),
    )
    return () => {
      here = false
    }
  }, [entity, value])
  return names?.of === value ? names.text : null
}

const takeAway = (only: string) => startCommand('filter.clear', { params: { only } })

function toList(): void {
  const list = store.get(activeListAtom)
  if (list) focusList(list)
}

interface ChipProps {
  head: string
  body: string
  problem?: string | null
  onRemove: () => void
  onOpen: () => void
  /** Moves the focus when the last chip is removed; by default to the list. */
  leave?: () => void
}

/** One chip: Enter changes it, Backspace, Delete or its cross removes it. */
export function Chip({ head, body, problem, onRemove, onOpen, leave = toList }: ChipProps) {
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const chips = [...(event.currentTarget.closest('[data-chips]')?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])]
    const at = chips.indexOf(event.currentTarget)
    if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault()
      onRemove()
      const next = chips[at + 1] ?? chips[at - 1]
      if (next) next.focus()
      else leave()
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault()
      chips[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus()
    }
  }
  return (
    <span className={`chip${problem ? ' chip-wrong' : ''}`} title={problem ?? undefined}>
      <button type="button" data-chip onKeyDown={keys} onClick={onOpen}>
        <em>{head}</em> <b>{body || 'nothing'}</b> {problem && <i>{problem}</i>}
      </button>
      <button type="button" tabIndex={-1} className="chip-off" onClick={onRemove} aria-label={`Remove ${head}`}>
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}

function FilterChip({ list, filter }: { list: List; filter: ReadFilter }) {
  const [head, body] = filterText(filter)
  const names = useNames(filter)
  return (
    <Chip
      head={head}
      body={names ?? body}
      problem={filter.problem}
      onRemove={() => takeAway(filter.id)}
      onOpen={() =>
        filter.filter && list.definition.filters.includes(filter.filter)
          ? startCommand(`filter.by.${list.rows}.${filter.id}`)
          : takeAway(filter.id)
      }
    />
  )
}

/** The filters of a list from the address, with problems if any, and the search. */
export function Chips({ list }: { list: List }) {
  const filters = useAtomValue(list.filtersAtom, { store })
  const q = useAtomValue(list.searchAtom, { store }).get('q')?.trim()
  if (!filters.length && !q) return null
  return (
    <section className="chips" data-chips aria-label="Filters">
      {q && <Chip head="Search" body={q} onRemove={() => takeAway('q')} onOpen={openFilters} />}
      {filters.map((filter) => (
        <FilterChip key={filter.id} list={list} filter={filter} />
      ))}
    </section>
  )
}
