import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { loadThing } from '#portal/commands/run-targets.ts'
import { entityByName } from '#portal/app/registry.ts'
import { suggestQuery } from '#portal/palette/suggest.ts'
import { putThings, thingAtom } from '#portal/records/things.ts'
import { wire } from '#portal/api/client.ts'

const debounce = 120

interface Found {
  typed: string
  rows: readonly unknown[]
  failed: boolean
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
        setFound({ typed, rows, failed: false })
      } catch {
        if (!asking.signal.aborted) setFound({ typed, rows: [], failed: true })
      }
    }, debounce)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [entity, typed, within])
  return found?.typed === typed ? found : null
}

/** The id of another thing, found by typing. */
export function ReferenceField(props: ControlProps) {
  const entity = entityByName(props.field.entity as string)
  const id = props.value === undefined || props.value === null || props.value === '' ? null : String(props.value)
  const one = useAtomValue(useMemo(() => thingAtom(entity.name, id ?? ''), [entity, id]))
  const [typed, setTyped] = useState('')
  const found = useFound(entity, typed, props.field.within)
  useEffect(() => {
    // Its title is drawn as soon as it is known; until then, and where it is not, the id stands for it.
    if (id) void loadThing(entity, id).catch(() => {})
  }, [entity, id])
  const { 'aria-required': required, ...rest } = attributes(props)
  const title = (value: string | null) => (value === null ? '' : one !== undefined && value === id ? entity.title(one) : value)
  return (
    <Combobox
      value={id}
      immediate
      onChange={(value: string | null) => props.onChange(value ?? undefined)}
      onClose={() => setTyped('')}
    >
      <ComboboxInput
        {...rest}
        aria-required={required}
        className="field"
        autoComplete="off"
        placeholder={`Name or id of an ${entity.one}`.replace(/an (?=[^aeiou])/, 'a ')}
        displayValue={title}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '') props.onChange(undefined)
        }}
      />
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
            <span className="truncate font-medium">{entity.title(row)}</span>
            <span className="truncate text-small text-muted">{entity.subtitle(row)}</span>
          </ComboboxOption>
        ))}
        {!found && <p className="px-2 py-1 text-muted">Searching</p>}
        {found?.failed && <p className="px-2 py-1 text-bad">The search did not work. Type again to retry.</p>}
        {found && !found.failed && found.rows.length === 0 && <p className="px-2 py-1 text-muted">No {entity.one} found</p>}
      </ComboboxOptions>
    </Combobox>
  )
}
