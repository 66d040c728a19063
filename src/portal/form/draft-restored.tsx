/** Says that a draft was restored, with a button to clear it. */
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
