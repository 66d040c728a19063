/** What is typed before something that cannot be taken back. */
export function ConfirmField(props: {
  id: string
  word: string
  typed: string
  wrong: boolean
  onType: (text: string) => void
  inputRef: (input: HTMLInputElement | null) => void
}) {
  const { id, word, typed, wrong, onType, inputRef } = props
  return (
    <div>
      <label className="label" htmlFor={id}>
        Type <strong className="select-all">{word}</strong> to confirm
      </label>
      <input
        id={id}
        ref={inputRef}
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
