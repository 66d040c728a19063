import { type RefObject, useCallback, useId, useRef, useState } from 'react'

/** A number may be typed with or without its thousands separators. */
const plain = (word: string): string => word.trim().replace(/(?<=\d),(?=\d{3})/g, '')

/** State of the word that must be typed before an irreversible command; null if none is needed. */
export function useConfirm(word: string | null) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const onType = useCallback((text: string) => {
    setTyped(text)
    setWrong(false)
  }, [])
  const clear = useCallback(() => onType(''), [onType])
  /** Whether the word was typed; if not, shows an error at its field and focuses it. */
  const confirmed = () => {
    if (word === null || plain(typed) === plain(word)) return true
    setWrong(true)
    input.current?.focus()
    return false
  }
  return { field: { id, word: word ?? '', typed, wrong, onType, input }, confirmed, clear }
}

/** The field for the word that confirms an irreversible command. */
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
