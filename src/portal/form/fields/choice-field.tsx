import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** With so few values all of them are on the table. */
const mostRadios = 4

/** One of several values: radios for a few, a list for more. */
export function ChoiceField(props: ControlProps) {
  return props.field.options.length <= mostRadios ? <Radios {...props} /> : <List {...props} />
}

function Radios(props: ControlProps) {
  const { id, ref, onBlur, ...rest } = attributes(props)
  const { options } = props.field
  const chosen = options.findIndex((option) => option.value === props.value)
  return (
    <div role="radiogroup" aria-labelledby={`${id}-label`} {...rest} className="flex flex-wrap gap-2">
      {options.map((option, index) => (
        <label
          key={option.value}
          className="flex h-[34px] items-center gap-2 rounded-[7px] border border-line-strong bg-surface px-3 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:shadow-[0_0_0_3px_var(--accent-wash)]"
        >
          <input
            ref={index === Math.max(0, chosen) ? ref : undefined}
            type="radio"
            className="accent-accent"
            name={id}
            value={option.value}
            checked={index === chosen}
            onBlur={onBlur}
            onChange={() => props.onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}

function List(props: ControlProps) {
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
