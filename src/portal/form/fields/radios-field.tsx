import { attributes, type ControlProps, optionsOf } from '#portal/form/fields/control.ts'

/** One of a few values, as radio buttons. */
export function RadiosField(props: ControlProps) {
  const { id, ref, onBlur, ...rest } = attributes(props)
  const options = optionsOf(props.field)
  const chosen = options.findIndex((option) => option.value === (props.value ?? null))
  return (
    <div role="radiogroup" aria-labelledby={`${id}-label`} {...rest} className="flex flex-wrap gap-2">
      {options.map((option, index) => (
        <label
          key={option.value ?? ''}
          className="flex h-[34px] items-center gap-2 rounded-[7px] border border-line-strong bg-surface px-3 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:shadow-[0_0_0_3px_var(--accent-wash)]"
        >
          <input
            ref={index === Math.max(0, chosen) ? ref : undefined}
            type="radio"
            className="accent-accent"
            name={id}
            value={option.value ?? ''}
            checked={index === chosen}
            onBlur={onBlur}
            onChange={() => props.onChange(option.value ?? undefined)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
