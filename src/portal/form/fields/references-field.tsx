import { Combobox, ComboboxInput } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { FoundOptions, useTyped } from '#portal/form/fields/found-options.tsx'
import { loadRecord } from '#portal/records/load-record.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** A chosen record, shown by its title once that is loaded. */
function Chosen({ entity, id, remove }: { entity: AnyEntity; id: string; remove: () => void }) {
  const one = useAtomValue(useMemo(() => recordAtom(entity.name, id), [entity, id]))
  useEffect(() => {
    void loadRecord(entity, id).catch(() => {})
  }, [entity, id])
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

/**
 * Ids of several other records, each found by typing or by arrow down: Enter adds one, Backspace in an empty input removes the
 * last one.
 */
export function ReferencesField(props: ControlProps) {
  const entity = entityByName(props.field.entity as string)
  const ids = Array.isArray(props.value) ? props.value.map(String) : []
  const { typed, found, type, close, keys } = useTyped(props, entity)
  const { 'aria-required': required, ...rest } = attributes(props)
  return (
    <Combobox
      // Adds one at a time: once the list closes, Enter belongs to the form.
      value={null as string | null}
      onChange={(id: string | null) => {
        // Null when the field loses the focus: the typed text stays.
        if (id === null) return
        type('')
        props.onChange(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
      }}
      onClose={close}
    >
      <div className="field flex h-auto min-h-[34px] flex-wrap items-center gap-1.5 py-1 has-[[aria-invalid=true]]:border-bad">
        {ids.map((id) => (
          <Chosen key={id} entity={entity} id={id} remove={() => props.onChange(ids.filter((each) => each !== id))} />
        ))}
        <ComboboxInput
          {...rest}
          aria-required={required}
          className="min-w-40 flex-1 bg-transparent outline-none"
          autoComplete="off"
          placeholder={ids.length ? '' : `Names or ids of ${entity.many}`}
          displayValue={() => typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            keys(event)
            if (event.key !== 'Backspace' || typed !== '' || ids.length === 0) return
            event.preventDefault()
            event.stopPropagation()
            props.onChange(ids.slice(0, -1))
          }}
        />
      </div>
      <FoundOptions entity={entity} found={found} chosen={ids} />
    </Combobox>
  )
}
