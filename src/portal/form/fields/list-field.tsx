import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import type { KeyboardEvent } from 'react'
import { attributes, type ControlProps, optionsOf } from '#portal/form/fields/control.ts'
import { ClosesList } from '#portal/form/fields/escape-first.ts'
import { placeOf, useTypedText } from '#portal/form/fields/type-ahead.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** While the list is closed, letters choose the option that starts with them, or has a word that does. */
function useLetters(options: ControlProps['field']['options'], onChange: (value: string) => void) {
  const { textOf } = useTypedText()
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.currentTarget.getAttribute('aria-expanded') === 'true') return
    const text = textOf(event)
    if (text === null) return
    event.preventDefault()
    const labels = options.map((option) => option.label)
    const found = options[placeOf(labels, text) ?? -1]
    if (found) onChange(found.value)
  }
}

/** One of many values, as a dropdown. */
export function ListField(props: ControlProps) {
  const { 'aria-required': _, ...rest } = attributes(props)
  const { options, title } = props.field
  const letters = useLetters(options, props.onChange)
  const chosen = options.find((option) => option.value === props.value)
  return (
    <Listbox value={(props.value as string | undefined) ?? null} onChange={(value) => props.onChange(value ?? undefined)}>
      <ListboxButton
        {...rest}
        onKeyDown={letters}
        aria-label={`${title}: ${chosen?.label ?? 'Choose'}`}
        className="field flex items-center justify-between text-left"
      >
        <span className={chosen ? '' : 'text-muted'}>{chosen?.label ?? 'Choose'}</span>
        <Icon name="down" className="text-muted" />
      </ListboxButton>
      <ListboxOptions
        modal={false}
        className="mt-1 max-h-48 overflow-auto rounded-[7px] border border-line bg-surface p-1 outline-none"
      >
        <ClosesList />
        {optionsOf(props.field).map((option) => (
          <ListboxOption
            key={option.value ?? ''}
            value={option.value}
            className="flex h-7 items-center justify-between rounded-md px-2 data-focus:bg-accent-wash"
          >
            {option.label}
            {option.value === props.value && <Icon name="check" className="text-accent" />}
          </ListboxOption>
        ))}
      </ListboxOptions>
    </Listbox>
  )
}
