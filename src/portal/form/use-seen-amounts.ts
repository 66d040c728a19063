import { useCallback, useEffect, useRef } from 'react'
import type { Command } from '#kernel/command.ts'
import { comesTo, type MoneyLine, type MoneyLines, othersThan } from '#kernel/money-lines.ts'
import { besideDraft, draft, keepBeside } from '#portal/commands/drafts.ts'
import type { Targets } from '#portal/platform/commands.ts'

interface SeenAmountsOptions {
  command: Command
  targets: Targets
  /** Whether the form started from a draft. */
  restored: boolean
  /** The lines computed from the typed values, if it is a form about amounts and its facts are loaded. */
  lines: MoneyLines | null
}

/**
 * Stores the last seen amounts beside the draft, and calls `otherwise` with the lines that differ when the form is opened again
 * (D542). The returned callback must be called whenever the user types: from then on the amounts count as seen.
 */
export function useSeenAmounts(
  { command, targets, restored, lines }: SeenAmountsOptions,
  otherwise: (lines: MoneyLine[]) => void,
): () => void {
  const now = lines && comesTo(lines)
  const latest = useRef({ now, lines, otherwise })
  latest.current = { now, lines, otherwise }
  // Compared until the user types: the first amounts may be computed from stale data.
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
