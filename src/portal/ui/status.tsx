import type { States } from '#domain/status.ts'

/**
 * A state as text with a mark; each kind of state has its own shape, so that it is readable without color (STA-001 to STA-019).
 */
export function Status({ of, state }: { of: States; state: string | null }) {
  return <span className={`status status-${of.mark(state)}`}>{of.label(state)}</span>
}

/** A state as the value of a fact. */
export const statusOf = (of: States, state: string | null) => <Status of={of} state={state} />
