import { useCallback, useEffect, useRef } from 'react'
import { comesTo, type MoneyLine, type MoneyLines, othersThan } from '#kernel/money-lines.ts'
import { besideDraft, draft, keepBeside, keepDraft, keepSeen, seenWith } from '#portal/commands/drafts.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import type { Session } from '#portal/form/session/session.ts'
import type { Values } from '#kernel/form-values.ts'
import { draftFrom, same } from '#portal/form/session/values.ts'
import type { Targets } from '#portal/platform/commands.ts'

/** Under which name a form stores its draft. */
export interface DraftName {
  command: string
  targets: Targets
}

/** The initial values of a form, and the draft that they contain; null if it changes nothing. */
export function withStoredDraft(name: DraftName | null, valuesWith: (draft: Values | null) => Values) {
  const plain = valuesWith(null)
  const stored = name && draft(name.command, name.targets)
  const values = stored ? valuesWith(stored) : plain
  return { values, draft: stored && !same(values, plain) ? stored : null }
}

/** Stores what differs from the saved values, with those that it was typed over; returns whether anything does. */
export function storeDraft({ command, targets }: DraftName, { fields, saved, seen }: Session, values: Values): boolean {
  const typed = draftFrom(fields, values, saved)
  const some = keepDraft(command, targets, typed)
  // A form that starts empty has no saved values that could change.
  if (some && fields.some(({ name }) => (saved[name] ?? '') !== '')) keepSeen(command, targets, Object.keys(typed), seen)
  return some
}

/** What belongs to a restored draft: the saved values it was typed over, and the question to settle before it is sent. */
export function storedBeside({ command, targets }: DraftName): Pick<Session, 'seen' | 'failure'> {
  const sentence = besideDraft('refused', command, targets)
  return { seen: seenWith(command, targets), failure: sentence === null ? null : { sentence, detail: null, stands: {} } }
}

/** Stores the question of a failure beside the draft; removes it if there is none. */
export const storeQuestion = ({ command, targets }: DraftName, failure: Failure | null): void =>
  keepBeside('refused', command, targets, failure?.stands ? failure.sentence : null)

/**
 * Stores the last seen amounts beside the draft, and calls `otherwise` with the lines that differ when the form is opened again.
 * `lines` are computed from the typed values, null while they are loading, and undefined in a form without amounts. The returned
 * callback must be called whenever the user types: from then on the amounts count as seen.
 */
export function useSeenAmounts(
  name: DraftName | null,
  lines: MoneyLines | null | undefined,
  isRestored: boolean,
  otherwise: (lines: readonly MoneyLine[]) => void,
): () => void {
  const now = lines && comesTo(lines)
  const latest = useRef({ now, lines, otherwise })
  latest.current = { now, lines, otherwise }
  // Compared until the user types: the first amounts may be computed from stale data.
  const before = useRef(name && isRestored ? besideDraft('does', name.command, name.targets) : null)
  const store = useCallback(() => {
    if (name && latest.current.now !== undefined && draft(name.command, name.targets))
      keepBeside('does', name.command, name.targets, latest.current.now)
  }, [name])
  useEffect(() => {
    if (typeof now !== 'string') return
    if (before.current === null) store()
    else if (before.current !== now) latest.current.otherwise(othersThan(before.current, latest.current.lines?.lines ?? []))
  }, [now, store])
  return useCallback(() => {
    before.current = null
    store()
  }, [store])
}
