import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { pluralize } from '#kernel/pluralize.ts'
import { startCommand } from '#portal/commands/start.ts'
import { chordById } from '#portal/platform/registry.ts'
import { noun, unreadAtom, watchNotices } from '#portal/shell/notices/watch-notices.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The number of unread notices in the status bar, which opens them. Reads them as long as it is mounted. */
export function UnreadNotices() {
  useEffect(watchNotices, [])
  const unread = useAtomValue(unreadAtom).length
  const chord = chordById('open.notices')
  if (!unread) return null
  return (
    <button type="button" className="btn btn-quiet tabular-nums" onClick={() => startCommand('open.notices')}>
      <Icon name="info" size={14} />
      {pluralize(unread, noun)}
      {chord && <Kbd chord={chord} />}
    </button>
  )
}
