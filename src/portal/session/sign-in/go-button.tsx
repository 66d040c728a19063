import { Kbd } from '#portal/ui/kbd.tsx'

/** The primary button of a card; Enter in any field presses it. */
export function GoButton({ busy, children }: { busy: boolean; children: string }) {
  return (
    <button type="submit" className="btn btn-go" aria-disabled={busy || undefined}>
      {children}
      <Kbd chord="Enter" />
    </button>
  )
}
