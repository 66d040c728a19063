import { useAtomValue } from 'jotai'
import { ChordOverlay } from '#portal/shell/chord-overlay.tsx'
import { IdleWarning } from '#portal/session/idle-warning.tsx'
import { KeyMap } from '#portal/shell/key-map.tsx'
import { LoadErrorDialog } from '#portal/shell/load-error-dialog.tsx'
import { OutdatedDialog } from '#portal/session/outdated-dialog.tsx'
import { idleLeftAtom } from '#portal/api/session.ts'
import { changedKeysAtom, keyMapAtom } from '#portal/keyboard/key-map.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { outdatedAtom } from '#portal/session/outdated.ts'
import { later, Part } from '#portal/ui/later.tsx'

const changeKeysDialog = later(async () => (await import('#portal/shell/change-keys-dialog.tsx')).ChangeKeysDialog)

/** The dialogs of the shell, only the most urgent one; without one, the overlay of a key sequence. */
export function Dialogs() {
  const left = useAtomValue(idleLeftAtom)
  const outdated = useAtomValue(outdatedAtom)
  const error = useAtomValue(loadErrorAtom)
  const keys = useAtomValue(keyMapAtom)
  const changed = useAtomValue(changedKeysAtom)
  if (left !== null) return <IdleWarning left={left} />
  if (outdated) return <OutdatedDialog />
  if (error) return <LoadErrorDialog error={error} />
  if (changed !== null) return <Part key={changed} of={changeKeysDialog} props={{ command: changed }} />
  return keys ? <KeyMap /> : <ChordOverlay />
}
