import { type RefObject, useCallback, useId, useRef, useState } from 'react'

interface Confirm {
  field: Parameters<typeof ConfirmField>[0]
  /** Whether it was typed; where it was not, says so beside its field and goes there. */
  confirmed: () => boolean
  clear: () => void
}

/** A number is the same with the commas that it is shown with. */
const plain = (word: string): string => word.trim().replace(/(?<=\d),(?=\d{3})/g, '')

/** The word that has to be typed before something that cannot be taken back; null where nothing has to. */
export function useConfirm(word: string | null): Confirm {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const onType = useCallback((text: string) => {
    setTyped(text)
    setWrong(false)
  }, [])
  const clear = useCallback(() => onType(''), [onType])
  const confirmed = () => {
    if (word === null || plain(typed) === plain(word)) return true
    setWrong(true)
    input.current?.focus()
    return false
  }
  return { field: { id, word: word ?? '', typed, wrong, onType, input }, confirmed, clear }
}

/** What is typed before something that cannot be taken back. */
export function ConfirmField(props: {
  id: string
  word: string
  typed: string
  wrong: boolean
  onType: (text: string) => void
  input: RefObject<HTMLInputElement | null>
}) {
  const { id, word, typed, wrong, onType, input } = props
  return (
    <div>
      <label className="label" htmlFor={id}>
        Type <strong className="select-all">{word}</strong> to confirm
      </label>
      <input
        id={id}
        ref={input}
        className="field"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        aria-required="true"
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        onChange={(event) => onType(event.target.value)}
      />
      {wrong && (
        <p id={`${id}-error`} className="err">
          This has to be exactly: {word}
        </p>
      )}
    </div>
  )
}
