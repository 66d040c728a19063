import { drawChord } from '#kernel/keys.ts'
import { mac } from '#portal/platform/operating-system.ts'

/**
 * A chord as keys: `Ctrl K`, or `g e` as two. `plain` has no box; hidden from screen readers if the accessible name includes it.
 */
export function Kbd({ chord, plain = false, hidden = true }: { chord: string; plain?: boolean; hidden?: boolean }) {
  const parts = drawChord(chord, mac)
  if (plain)
    return (
      <kbd className="kbd-plain" aria-hidden={hidden || undefined}>
        {parts.join(' ')}
      </kbd>
    )
  return (
    <span className="inline-flex gap-1" aria-hidden={hidden || undefined}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one chord never move
        <kbd key={index} className="kbd">
          {part}
        </kbd>
      ))}
    </span>
  )
}
