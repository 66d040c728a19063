import { useAtomValue } from 'jotai'
import { drawChord } from '#kernel/keys.ts'
import { keyWorks, lettersAtom } from '#portal/keyboard/letters.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { store } from '#portal/platform/store.ts'

/**
 * A chord as keys: `Ctrl K`, or `g e` as two. `plain` has no box; hidden from screen readers if the accessible name includes it.
 * Not drawn while single-key shortcuts are switched off, unless it is `typed` into a field, where it always works.
 */
export function Kbd({
  chord,
  plain = false,
  hidden = true,
  typed = false,
}: {
  chord: string
  plain?: boolean
  hidden?: boolean
  typed?: boolean
}) {
  const letters = useAtomValue(lettersAtom, { store })
  if (!typed && !keyWorks(chord, letters)) return null
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
