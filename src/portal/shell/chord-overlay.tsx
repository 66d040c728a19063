import { useAtomValue } from 'jotai'
import { drawChord } from '#kernel/keys.ts'
import { chordAtom } from '#portal/hotkeys/keys.ts'
import { mac } from '#portal/platform/operating-system.ts'

/** The possible continuations of a key sequence, shown after a short delay. */
export function ChordOverlay() {
  const chord = useAtomValue(chordAtom)
  if (!chord) return null
  const done = chord.prefix.split(' ').length
  return (
    <div
      className="sheet pointer-events-none fixed bottom-11 left-1/2 z-50 w-72 -translate-x-1/2 p-3"
      role="status"
      aria-label="Next keys"
    >
      <p className="pb-1 text-small text-muted">
        <kbd className="kbd">{chord.prefix}</kbd> then
      </p>
      <ul className="grid gap-1">
        {chord.next.map(({ command, chord: whole }) => (
          <li key={command.id} className="flex gap-2">
            <kbd className="kbd">{drawChord(whole, mac).slice(done).join(' ')}</kbd>
            {command.title}
          </li>
        ))}
      </ul>
    </div>
  )
}
