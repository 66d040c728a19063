import { type KeyboardEvent, useState } from 'react'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** Free-text tags: Enter or a comma adds one, Backspace in an empty input removes the last one. */
export function ChipsField(props: ControlProps) {
  const items = Array.isArray(props.value) ? (props.value as string[]) : []
  const [typed, setTyped] = useState('')
  const set = (next: string[]) => props.onChange(next.length || !props.field.optional ? next : undefined)
  const add = () => {
    const words = typed
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word && !items.includes(word))
    if (words.length) set([...items, ...words])
    setTyped('')
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    // A send includes the word that is still being typed.
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') add()
    if (event.ctrlKey || event.metaKey) return
    if ((event.key === 'Enter' || event.key === ',') && typed.trim()) {
      event.preventDefault()
      event.stopPropagation()
      add()
    } else if (event.key === 'Backspace' && typed === '' && items.length) {
      event.preventDefault()
      event.stopPropagation()
      set(items.slice(0, -1))
    }
  }
  const { onBlur, ...rest } = attributes(props)
  return (
    <div className="field flex h-auto min-h-[34px] flex-wrap items-center gap-1.5 py-1 has-[[aria-invalid=true]]:border-bad">
      {items.map((item) => (
        <span key={item} className="inline-flex h-6 items-center rounded-md border border-line bg-sunken pl-2">
          {item}
          <button
            type="button"
            tabIndex={-1}
            className="px-1.5 text-muted"
            aria-label={`Remove ${item}`}
            onClick={() => set(items.filter((each) => each !== item))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input
        {...rest}
        className="min-w-24 flex-1 bg-transparent outline-none"
        autoComplete="off"
        value={typed}
        onKeyDown={keys}
        onBlur={() => {
          add()
          onBlur()
        }}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
