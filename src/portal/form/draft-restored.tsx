/** That what was typed the last time is back, and how it goes. */
export function DraftRestored({ clear }: { clear: () => void }) {
  return (
    <p role="status" className="flex gap-2 text-small text-muted">
      Draft restored
      <button type="button" className="link" onClick={clear}>
        Clear
      </button>
    </p>
  )
}
