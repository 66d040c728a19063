import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { permissionWords } from '#domain/permission-groups.ts'
import { characterOf } from '#kernel/keys.ts'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { MissedText } from '#portal/form/fields/missed-text.tsx'
import { useTypeAhead } from '#portal/form/fields/type-ahead.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Icon } from '#portal/ui/icon.tsx'

const maxInOneColumn = 6

/**
 * Multiple choice as one tab stop, in columns that read downwards: arrows move, Space toggles, typing moves to the matching
 * option, Ctrl+A selects all.
 */
export function ChoicesField(props: ControlProps) {
  const { options } = props.field
  const chosen = new Set(Array.isArray(props.value) ? (props.value as string[]) : [])
  const [active, setActive] = useState(0)
  const typed = useTypeAhead(
    options.map(({ label }) => label),
    active,
  )
  const held: ReadonlySet<number> = useAtomValue(heldAtom)
  // Only a warning: the receiver may hold these already, and then the user gives nothing that they lack. The server validates.
  const beyond = options.map(({ gives = [] }) => {
    const lacks = gives.filter((id) => !held.has(id))
    return lacks.length > 0 ? `You do not hold: ${lacks.map(permissionWords).join(', ')}.` : undefined
  })
  const rows = options.length > maxInOneColumn ? Math.ceil(options.length / 2) : options.length
  const { id, 'aria-required': required, ...rest } = attributes(props)
  // In the order of the options, independent of the order of selection.
  const set = (next: Set<string>) => props.onChange(options.map((option) => option.value).filter((value) => next.has(value)))
  const toggle = (value: string) => {
    const next = new Set(chosen)
    if (!next.delete(value)) next.add(value)
    set(next)
  }
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const last = options.length - 1
    const mod = event.ctrlKey || event.metaKey
    let to: number | null = null
    if (event.key === 'ArrowDown') to = active === last ? 0 : active + 1
    else if (event.key === 'ArrowUp') to = active === 0 ? last : active - 1
    else if (event.key === 'ArrowRight') to = Math.min(last, active + rows)
    else if (event.key === 'ArrowLeft') to = Math.max(0, active - rows)
    else if (event.key === 'Home') to = 0
    else if (event.key === 'End') to = last
    else if (event.key === ' ') typed.chooses() && toggle(options[active]?.value as string)
    else if (mod && characterOf(event) === 'a')
      set(new Set(chosen.size === options.length ? [] : options.map((option) => option.value)))
    else {
      const found = typed.find(event)
      if (found === undefined) return
      to = found
    }
    event.preventDefault()
    event.stopPropagation()
    if (to === null) return
    typed.forget()
    setActive(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView?.({ block: 'nearest' })
  }
  const box = (
    <div
      {...rest}
      onBlur={() => {
        typed.forget()
        rest.onBlur()
      }}
      id={id}
      role="listbox"
      aria-multiselectable="true"
      aria-labelledby={`${id}-label`}
      aria-required={required}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      onKeyDown={keys}
      style={{ gridTemplateRows: `repeat(${rows}, 28px)` }}
      className="choices grid max-h-64 auto-cols-fr grid-flow-col gap-x-2 overflow-auto rounded-[7px] border border-line-strong bg-surface p-1 focus:border-accent focus:shadow-[0_0_0_3px_var(--accent-wash)] focus:outline-none aria-invalid:border-bad"
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={chosen.has(option.value)}
          aria-description={beyond[index]}
          title={beyond[index]}
          data-active={index === active || undefined}
          onClick={() => {
            typed.forget()
            setActive(index)
            toggle(option.value)
          }}
          className="choice flex h-7 items-center gap-2 rounded-md px-2"
        >
          <span
            className={`grid size-3.5 shrink-0 place-items-center rounded border-[1.5px] ${chosen.has(option.value) ? 'border-accent bg-accent text-accent-ink' : 'border-line-strong'}`}
          >
            {chosen.has(option.value) && <Icon name="check" size={10} />}
          </span>
          {option.label}
          {beyond[index] && <span className="text-small whitespace-nowrap text-muted">not all yours</span>}
        </div>
      ))}
    </div>
  )
  return (
    <>
      {box}
      <MissedText text={typed.missed} />
      {beyond[active] && (
        <p className="mt-1 text-small text-muted">
          {options[active]?.label}: {beyond[active]}
        </p>
      )}
    </>
  )
}
