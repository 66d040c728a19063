import { Combobox, ComboboxInput } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { withArticle } from '#domain/text.ts'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { FoundOptions, useTyped } from '#portal/form/fields/found-options.tsx'
import { loadRecord } from '#portal/records/load-record.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { recordAtom } from '#portal/records/entity-store.ts'

/** The id of another record, found by typing. */
export function ReferenceField(props: ControlProps) {
  const entity = entityByName(props.field.entity as string)
  const id = props.value === undefined || props.value === null || props.value === '' ? null : String(props.value)
  const one = useAtomValue(useMemo(() => recordAtom(entity.name, id ?? ''), [entity, id]))
  const { typed, found, type, close, keys } = useTyped(props, entity)
  useEffect(() => {
    // Shows the title once the record is loaded; the id until then, and if it fails.
    if (id) void loadRecord(entity, id).catch(() => {})
  }, [entity, id])
  const { 'aria-required': required, ...rest } = attributes(props)
  const title = (value: string | null) => (value === null ? '' : one !== undefined && value === id ? entity.title(one) : value)
  return (
    <Combobox
      value={id}
      immediate
      onChange={(value: string | null) => {
        // Null when the field loses the focus: the typed text stays.
        if (value === null) return
        type('')
        props.onChange(value)
      }}
      onClose={close}
    >
      <ComboboxInput
        {...rest}
        aria-required={required}
        className="field"
        autoComplete="off"
        placeholder={`Name or id of ${withArticle(entity.one)}`}
        displayValue={(value: string | null) => typed || title(value)}
        onKeyDown={keys}
        onChange={(event) => {
          type(event.target.value)
          if (event.target.value === '') props.onChange(undefined)
        }}
      />
      <FoundOptions entity={entity} found={found} />
    </Combobox>
  )
}
