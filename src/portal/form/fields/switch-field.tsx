import { Switch } from '@headlessui/react'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'

export function SwitchField(props: ControlProps) {
  const on = props.value === true
  const { 'aria-required': _, ...rest } = attributes(props)
  return (
    <Switch
      {...rest}
      checked={on}
      onChange={props.onChange}
      aria-label={props.field.title}
      className="inline-flex h-5 w-9 items-center rounded-full border border-line-strong bg-sunken px-0.5 data-checked:border-transparent data-checked:bg-accent"
    >
      <span className={`size-3.5 rounded-full ${on ? 'translate-x-4 bg-accent-ink' : 'bg-muted'}`} />
    </Switch>
  )
}
