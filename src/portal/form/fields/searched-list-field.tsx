import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useMemo, useState } from 'react'
import { findableCommand } from '#kernel/findable.ts'
import { finder } from '#kernel/rank.ts'
import { attributes, type ControlProps, optionsOf } from '#portal/form/fields/control.ts'
import { ClosesList } from '#portal/form/fields/escape-first.ts'
import { useTypedSearch } from '#portal/form/fields/found-options.tsx'
import { Icon } from '#portal/ui/icon.tsx'

/** Maximum number of options that a text finds. */
const maxFound = 50

/** One of more values than somebody reads through: found by typing words of its label, as in the palette. */
export function SearchedListField(props: ControlProps) {
  const options = useMemo(() => optionsOf(props.field), [props.field])
  const find = useMemo(
    () => finder(options.map((option) => findableCommand(option.value ?? '', option.label, option, [], []))),
    [options],
  )
  const [typed, setTyped] = useState('')
  const found = typed.trim() ? find(typed, () => 0, maxFound).map((hit) => hit.item.of) : options
  const { type, close, keys } = useTypedSearch(props, 'one', { typed, setTyped, found })
  const { 'aria-required': required, ...rest } = attributes(props)
  const value = (props.value as string | null | undefined) ?? null
  const label = (of: string | null) => options.find((option) => option.value === of)?.label ?? ''
  return (
    <Combobox
      value={value}
      immediate
      onChange={(chosen: string | null) => {
        // Null when the field loses the focus: the typed text stays.
        if (chosen === null && !options.some((option) => option.value === null)) return
        type('')
        props.onChange(chosen ?? undefined)
      }}
      onClose={close}
    >
      <ComboboxInput
        {...rest}
        aria-required={required}
        className="field"
        autoComplete="off"
        placeholder="Type words to find it"
        displayValue={(of: string | null) => typed || label(of)}
        onFocus={(event) => event.target.select()}
        onKeyDown={keys}
        onChange={(event) => type(event.target.value)}
      />
      <ComboboxOptions
        modal={false}
        className="mt-1 max-h-56 overflow-auto rounded-[7px] border border-line bg-surface p-1 empty:hidden"
      >
        <ClosesList />
        {found.map((option) => (
          <ComboboxOption
            key={option.value ?? ''}
            value={option.value}
            className="flex h-7 items-center justify-between rounded-md px-2 data-focus:bg-accent-wash"
          >
            {option.label}
            {option.value === value && <Icon name="check" className="text-accent" />}
          </ComboboxOption>
        ))}
        {found.length === 0 && <p className="px-2 py-1 text-muted">No choice has these words</p>}
      </ComboboxOptions>
    </Combobox>
  )
}
