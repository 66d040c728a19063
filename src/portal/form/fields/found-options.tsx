import { ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { withArticle } from '#domain/text.ts'
import { suggestQuery } from '#portal/records/suggest.ts'
import { inPaletteOrder } from '#portal/records/rank-found.ts'
import { lackedIn, Refusal } from '#kernel/api-client.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { apiClient } from '#portal/api/client.ts'
import type { ControlProps } from '#portal/form/fields/control.ts'
import { ClosesList } from '#portal/form/fields/escape-first.ts'
import { putBack } from '#portal/hotkeys/key-queue.ts'
import { Icon } from '#portal/ui/icon.tsx'

const debounce = 120

interface FoundRecords {
  rows: readonly unknown[]
  /** Why there are none, if the search was refused or failed. */
  failed: string | null
}

/** The message of a search that failed: the missing permission, or a hint to retry. */
function whyOf(error: unknown): string {
  const lacks = error instanceof Refusal ? lackedIn(error.problem) : null
  return lacks ? `Searching them needs ${lacks}.` : 'The search did not work. Type again to retry.'
}

/** Searches the entity's list for the typed text; a newer search aborts the older one. `within` must keep its identity. */
function useFound(entity: AnyEntity, typed: string, within?: Readonly<Record<string, string>>): FoundRecords | null {
  const read = async (signal: AbortSignal): Promise<FoundRecords> => {
    const query = suggestQuery(entity, typed.trim())
    const asked = { ...query, ...within }
    const rows = query ? entity.rows((await apiClient.read(entity.list, {}, asked, { signal })) as never) : []
    upsertRecords(entity.name, rows)
    return { rows: inPaletteOrder(entity, rows, typed.trim()), failed: null }
  }
  const found = useQuery(read, [entity, typed, within], { rest: debounce })
  return found.state === 'failed' ? { rows: [], failed: whyOf(found.error) } : (found.value ?? null)
}

interface SearchInput<Found> {
  typed: string
  /** The search result; null while loading. */
  found: Found | null
  type: (text: string) => void
  /** Called when the list closes: text that was not chosen stays in the field, with an error. */
  close: () => void
  keys: (event: KeyboardEvent) => void
}

/** Text typed to find a record, see `useTypedSearch`. */
export function useTyped(props: ControlProps, entity: AnyEntity): SearchInput<FoundRecords> {
  const [typed, setTyped] = useState('')
  const found = useFound(entity, typed, props.field.within)
  return useTypedSearch(props, withArticle(entity.one), { typed, setTyped, found })
}

/**
 * Text typed into a search field: no value until an option is chosen, which clears the text. `one` is what is chosen, with its
 * article.
 */
export function useTypedSearch<Found>(
  props: ControlProps,
  one: string,
  { typed, setTyped, found }: { typed: string; setTyped: (text: string) => void; found: Found | null },
): SearchInput<Found> {
  const latest = useRef({ ...props, typed, found })
  useLayoutEffect(() => {
    latest.current = { ...props, typed: latest.current.typed, found }
  })
  const validate = () => latest.current.check(props.field.name)
  useEffect(() => {
    const { unparsed, field } = latest.current
    return () => {
      // Cleared on unmount, for example on another step.
      if (unparsed.delete(field.name)) latest.current.check(field.name)
    }
  }, [])
  const type = (text: string) => {
    const { unparsed, field, invalid } = latest.current
    unparsed.delete(field.name)
    latest.current.typed = text
    setTyped(text)
    if (invalid) validate()
  }
  return {
    typed,
    found,
    type,
    close: () => {
      const { unparsed, field } = latest.current
      const text = latest.current.typed.trim()
      if (text === '') return
      const clear = field.optional ? ', or clear the field' : ''
      unparsed.set(field.name, `“${text}” was not taken. Choose ${one} from the list${clear}.`)
      validate()
    },
    keys: (event) => {
      if (event.key === 'Escape') type('')
      const { key, ctrlKey, metaKey, currentTarget } = event
      const sends = typed.trim() === '' && (ctrlKey || metaKey) && currentTarget.getAttribute('aria-expanded') === 'true'
      if (key !== 'Enter' || event.nativeEvent.isComposing || !(sends || (typed.trim() !== '' && !found))) return
      event.preventDefault()
      event.stopPropagation()
      if (sends) {
        // No search is running that could take the key, so the form gets it.
        const again = new KeyboardEvent('keydown', { key, ctrlKey, metaKey, bubbles: true, cancelable: true })
        currentTarget.closest('form')?.dispatchEvent(again)
        return
      }
      // The key applies to the search result and waits for it.
      putBack(event.nativeEvent, () => latest.current.found !== null)
    },
  }
}

interface FoundOptionsProps {
  entity: AnyEntity
  found: FoundRecords | null
  /** Ids that are already chosen, in a field for several. */
  chosen?: readonly string[]
}

/** The options found, or a message that there are none. */
export const FoundOptions = ({ entity, found, chosen = [] }: FoundOptionsProps) => (
  <ComboboxOptions
    modal={false}
    className="mt-1 max-h-56 overflow-auto rounded-[7px] border border-line bg-surface p-1 empty:hidden"
  >
    <ClosesList />
    {found?.rows.map((row) => (
      <ComboboxOption
        key={entity.id(row)}
        value={entity.id(row)}
        className="flex h-8 items-center justify-between gap-3 rounded-md px-2 data-focus:bg-accent-wash"
      >
        <span className="flex max-w-full shrink-0 items-center gap-2">
          {chosen.includes(entity.id(row)) && <Icon name="check" size={12} />}
          <span className="truncate font-medium">{entity.title(row)}</span>
        </span>
        <span className="min-w-0 truncate text-small text-muted">{entity.subtitle(row)}</span>
      </ComboboxOption>
    ))}
    {!found && <p className="px-2 py-1 text-muted">Searching</p>}
    {found?.failed && <p className="px-2 py-1 text-bad">{found.failed}</p>}
    {found && !found.failed && found.rows.length === 0 && <p className="px-2 py-1 text-muted">No {entity.one} found</p>}
  </ComboboxOptions>
)
