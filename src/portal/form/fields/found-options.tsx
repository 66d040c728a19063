import { ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useEffect, useRef, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { withArticle } from '#domain/text.ts'
import { suggestQuery } from '#portal/palette/suggest.ts'
import { lackedIn, Refusal } from '#kernel/wire.ts'
import { putThings } from '#portal/records/things.ts'
import { wire } from '#portal/api/client.ts'
import { Icon } from '#portal/ui/icon.tsx'

const debounce = 120

export interface Found {
  typed: string
  rows: readonly unknown[]
  /** Why there are none, where the search was refused or failed. */
  failed: string | null
}

/** What is said of a search that did not find out: the right it needs, or that it failed. */
function whyOf(error: unknown): string {
  const lacks = error instanceof Refusal ? lackedIn(error.problem) : null
  return lacks ? `Searching them needs ${lacks}.` : 'The search did not work. Type again to retry.'
}

/** Asks the entity's list for what is typed; a newer question ends the older one. `within` stays the same object. */
export function useFound(entity: AnyEntity, typed: string, within?: Readonly<Record<string, string>>): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const query = suggestQuery(entity, typed.trim())
        const asked = { ...query, ...within }
        const rows = query ? entity.rows((await wire.read(entity.list, {}, asked, { signal: asking.signal })) as never) : []
        putThings(entity.name, rows)
        setFound({ typed, rows, failed: null })
      } catch (error) {
        if (!asking.signal.aborted) setFound({ typed, rows: [], failed: whyOf(error) })
      }
    }, debounce)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [entity, typed, within])
  return found?.typed === typed ? found : null
}

interface Typed {
  typed: string
  /** What was typed last and left without choosing; null where nothing was. */
  left: string | null
  type: (text: string) => void
  /** One of the list was taken. */
  took: () => void
  /** The list is closed: what was typed and not chosen goes with it. */
  close: () => void
  /** The field has the keyboard, and has it no longer: who came back to what was said and left it empty has read it. */
  came: () => void
  went: () => void
}

/** What is typed into a search field. What is left there without choosing is no value, so that it has to be said. */
export function useTyped(): Typed {
  const [typed, setTyped] = useState('')
  const [left, setLeft] = useState<string | null>(null)
  const taken = useRef(false)
  const read = useRef(false)
  const type = (text: string) => {
    taken.current = false
    read.current = false
    setLeft(null)
    setTyped(text)
  }
  return {
    typed,
    left,
    type,
    took: () => {
      type('')
      taken.current = true
    },
    close: () => {
      if (!taken.current && typed.trim() !== '') setLeft(typed.trim())
      setTyped('')
    },
    came: () => {
      read.current = left !== null
    },
    went: () => {
      if (read.current) setLeft(null)
    },
  }
}

/** Said of what was left in a field without choosing. */
export const Left = ({ entity, text }: { entity: AnyEntity; text: string | null }) =>
  text !== null && (
    <p role="status" className="mt-1 text-small text-bad wrap-anywhere">
      “{text}” was not taken. Choose {withArticle(entity.one)} from the list.
    </p>
  )

interface FoundOptionsProps {
  entity: AnyEntity
  found: Found | null
  /** Ids of those that are chosen already, where several may be. */
  chosen?: readonly string[]
}

/** What was found, to be chosen from; or that nothing was. */
export const FoundOptions = ({ entity, found, chosen = [] }: FoundOptionsProps) => (
  <ComboboxOptions
    modal={false}
    className="mt-1 max-h-56 overflow-auto rounded-[7px] border border-line bg-surface p-1 empty:hidden"
  >
    {found?.rows.map((row) => (
      <ComboboxOption
        key={entity.id(row)}
        value={entity.id(row)}
        className="flex h-8 items-center justify-between gap-3 rounded-md px-2 data-focus:bg-accent-wash"
      >
        <span className="flex min-w-0 items-center gap-2">
          {chosen.includes(entity.id(row)) && <Icon name="check" size={12} />}
          <span className="truncate font-medium">{entity.title(row)}</span>
        </span>
        <span className="truncate text-small text-muted">{entity.subtitle(row)}</span>
      </ComboboxOption>
    ))}
    {!found && <p className="px-2 py-1 text-muted">Searching</p>}
    {found?.failed && <p className="px-2 py-1 text-bad">{found.failed}</p>}
    {found && !found.failed && found.rows.length === 0 && <p className="px-2 py-1 text-muted">No {entity.one} found</p>}
  </ComboboxOptions>
)
