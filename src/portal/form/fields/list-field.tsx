import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import { type KeyboardEvent, useRef } from 'react'
import { attributes, type ControlProps } from '#portal/form/control.ts'
import { ClosesList } from '#portal/form/escape-first.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** Milliseconds after which a letter begins a new word, as in the browser's own lists. */
const wordEnds = 1_000

/** While the list is closed letters choose the option that begins with them, or that has a word that does. */
function useLetters(options: ControlProps['field']['options'], onChange: (value: string) => void) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, timeStamp } = event
    const before = timeStamp - typed.current.at < wordEnds ? typed.current.text : ''
    if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || (key === ' ' && before === '')) return
    if (event.currentTarget.getAttribute('aria-expanded') === 'true') return
    event.preventDefault()
    const text = before + key.toLowerCase()
    typed.current = { text, at: timeStamp }
    const labels = options.map((option) => option.label.toLowerCase())
    const begins = labels.findIndex((label) => label.startsWith(text))
    const found = options[begins >= 0 ? begins : labels.findIndex((label) => ` ${label}`.includes(` ${text}`))]
    if (found) onChange(found.value)
  }
}

/** One of many values, from a list that opens. */
export function ListField(props: ControlProps) {
  const { 'aria-required': _, ...rest } = attributes(props)
  const { options, title, optional } = props.field
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
