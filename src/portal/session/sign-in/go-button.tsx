import { Kbd } from '#portal/ui/kbd.tsx'

/** The one primary button of a card; Enter presses it from any field. */
export function GoButton({ busy, children }: { busy: boolean; children: string }) {
  return (
    <button type="submit" className="btn btn-go" aria-disabled={busy || undefined}>
      {children}
      <Kbd chord="Enter" />
    </button>
  )
}
