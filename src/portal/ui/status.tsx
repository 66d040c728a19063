import type { States } from '#domain/status.ts'

/** A state as a word with a mark; each kind of state has a shape of its own, so that it reads without colour (STA-001 to STA-019). */
export function Status({ of, state }: { of: States; state: string | null }) {
  return <span className={`status status-${of.mark(state)}`}>{of.label(state)}</span>
}
