import { useCallback, useEffect, useRef } from 'react'
import type { Command } from '#kernel/command.ts'
import { comesTo, type MoneyLine, type MoneyLines, othersThan } from '#kernel/money-lines.ts'
import { besideDraft, draft, keepBeside } from '#portal/commands/drafts.ts'
import type { Targets } from '#portal/platform/commands.ts'

interface About {
  command: Command
  targets: Targets
  /** Whether the form began with a draft. */
  restored: boolean
  /** What is typed does, where the form is one of money and its facts are there. */
  lines: MoneyLines | null
}

/**
 * Keeps beside a draft what its amounts came to when they were last seen, and tells `otherwise` which come to something else when
 * the form is open again (D542). What is answered is called whenever the person types: from then on they see it.
 */
export function useSeenAmounts(
  { command, targets, restored, lines }: About,
  otherwise: (lines: MoneyLine[]) => void,
): () => void {
  const now = lines && comesTo(lines)
  const latest = useRef({ now, lines, otherwise })
  latest.current = { now, lines, otherwise }
  // Compared until the person types: what it comes to at first may be reckoned from what was read before.
  const before = useRef(restored ? besideDraft('does', command.id, targets) : null)
  useEffect(() => {
    if (now === null) return
    if (before.current !== null && before.current !== now)
      latest.current.otherwise(othersThan(before.current, latest.current.lines?.lines ?? []))
    if (before.current === null && draft(command.id, targets)) keepBeside('does', command.id, targets, now)
  }, [command, targets, now])
  return useCallback(() => {
    before.current = null
    if (draft(command.id, targets)) keepBeside('does', command.id, targets, latest.current.now)
  }, [command, targets])
}
