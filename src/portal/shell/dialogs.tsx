import { useAtomValue } from 'jotai'
import { ChordOverlay } from '#portal/shell/chord-overlay.tsx'
import { IdleWarning } from '#portal/shell/idle-warning.tsx'
import { KeyMap } from '#portal/shell/key-map.tsx'
import { LoadErrorDialog } from '#portal/shell/load-error-dialog.tsx'
import { OutdatedDialog } from '#portal/shell/outdated-dialog.tsx'
import { idleLeftAtom } from '#portal/state/idle.ts'
import { keyMapAtom } from '#portal/state/key-map.ts'
import { loadErrorAtom } from '#portal/state/load-error.ts'
import { outdatedAtom } from '#portal/state/outdated.ts'

/** The dialogs of the shell, the most urgent one alone; without one, how a sequence of keys can go on. */
export default function Dialogs() {
  const left = useAtomValue(idleLeftAtom)
  const outdated = useAtomValue(outdatedAtom)
  const error = useAtomValue(loadErrorAtom)
  const keys = useAtomValue(keyMapAtom)
  if (left !== null) return <IdleWarning left={left} />
  if (outdated) return <OutdatedDialog />
  if (error) return <LoadErrorDialog error={error} />
  return keys ? <KeyMap /> : <ChordOverlay />
}
