import { Combobox, ComboboxInput } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { withArticle } from '#domain/text.ts'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { FoundOptions, Left, useFound, useTyped } from '#portal/form/fields/found-options.tsx'
import { loadThing } from '#portal/commands/run-targets.ts'
import { entityByName } from '#portal/app/registry.ts'
import { thingAtom } from '#portal/records/things.ts'

/** The id of another thing, found by typing. */
export function ReferenceField(props: ControlProps) {
  const entity = entityByName(props.field.entity as string)
  const id = props.value === undefined || props.value === null || props.value === '' ? null : String(props.value)
  const one = useAtomValue(useMemo(() => thingAtom(entity.name, id ?? ''), [entity, id]))
  const { typed, left, type, took, close, came, went } = useTyped()
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
      onChange={(value: string | null) => {
        took()
        props.onChange(value ?? undefined)
      }}
      onClose={close}
    >
      <ComboboxInput
        {...rest}
        onFocus={came}
        onBlur={() => {
          went()
          rest.onBlur()
        }}
        aria-required={required}
        className="field"
        autoComplete="off"
        placeholder={`Name or id of ${withArticle(entity.one)}`}
        displayValue={title}
        onChange={(event) => {
          type(event.target.value)
          if (event.target.value === '') props.onChange(undefined)
        }}
      />
      <Left entity={entity} text={left} />
      <FoundOptions entity={entity} found={found} />
    </Combobox>
  )
}
