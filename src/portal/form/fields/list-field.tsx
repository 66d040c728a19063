import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** One of many values, from a list that opens. */
export function ListField(props: ControlProps) {
  const { 'aria-required': _, ...rest } = attributes(props)
  const { options, title, optional } = props.field
  const chosen = options.find((option) => option.value === props.value)
  return (
    <Listbox value={(props.value as string | undefined) ?? null} onChange={(value) => props.onChange(value ?? undefined)}>
      <ListboxButton
        {...rest}
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
        {[...(optional ? [{ value: null, label: 'None' }] : []), ...options].map((option) => (
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
