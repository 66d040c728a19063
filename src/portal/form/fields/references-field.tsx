import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { entityByName } from '#portal/app/registry.ts'
import { loadThing } from '#portal/commands/run-targets.ts'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { useFound } from '#portal/form/fields/reference-field.tsx'
import { thingAtom } from '#portal/records/things.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** One of the things that were chosen; its title as soon as it is known. */
function Chosen({ entity, id, remove }: { entity: AnyEntity; id: string; remove: () => void }) {
  const one = useAtomValue(useMemo(() => thingAtom(entity.name, id), [entity, id]))
  useEffect(() => void loadThing(entity, id).catch(() => {}), [entity, id])
  const title = one === undefined ? id : entity.title(one)
  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-md border border-line bg-sunken pl-2">
      <span className="truncate">{title}</span>
      <button type="button" tabIndex={-1} className="px-1.5 text-muted" aria-label={`Remove ${title}`} onClick={remove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}

/** Several things, each found by typing: Enter adds one, Backspace on nothing takes the last away. */
export function ReferencesField(props: ControlProps) {
  const entity = entityByName(props.field.entity as string)
  const ids = Array.isArray(props.value) ? props.value.map(String) : []
  const [typed, setTyped] = useState('')
  const found = useFound(entity, typed, props.field.within)
  const set = (next: readonly string[]) => props.onChange(next.length ? next : undefined)
  const { 'aria-required': required, ...rest } = attributes(props)
  const left = found?.rows.filter((row) => !ids.includes(entity.id(row))) ?? []
  return (
    <Combobox
      multiple
      immediate
      value={ids}
      onChange={(next: string[]) => {
        set(next)
        setTyped('')
      }}
      onClose={() => setTyped('')}
    >
      <div className="field flex h-auto min-h-[34px] flex-wrap items-center gap-1.5 py-1 has-[[aria-invalid=true]]:border-bad">
        {ids.map((id) => (
          <Chosen key={id} entity={entity} id={id} remove={() => set(ids.filter((each) => each !== id))} />
        ))}
        <ComboboxInput
          {...rest}
          aria-required={required}
          className="min-w-40 flex-1 bg-transparent outline-none"
          autoComplete="off"
          placeholder={ids.length ? '' : `Names or ids of ${entity.many}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Backspace' || typed !== '' || !ids.length) return
            event.preventDefault()
            event.stopPropagation()
            set(ids.slice(0, -1))
          }}
        />
      </div>
      <ComboboxOptions
        modal={false}
        className="mt-1 max-h-56 overflow-auto rounded-[7px] border border-line bg-surface p-1 empty:hidden"
      >
        {left.map((row) => (
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
        {found && !found.failed && left.length === 0 && (
          <p className="px-2 py-1 text-muted">
            {found.rows.length ? `All ${entity.many} found are chosen` : `No ${entity.one} found`}
          </p>
        )}
      </ComboboxOptions>
    </Combobox>
  )
}
