import { Kbd } from '#portal/ui/kbd.tsx'

/** A key and its action, for the line below the list. */
export function KeyHint({ chord, children, last = false }: { chord: string; children: string; last?: boolean }) {
  return (
    <span className={last ? 'ml-auto inline-flex items-center gap-1.5' : 'inline-flex items-center gap-1.5'}>
      <Kbd chord={chord} hidden={false} typed />
      {children}
    </span>
  )
}
