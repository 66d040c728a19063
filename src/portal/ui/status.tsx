import { labelOf, markOf } from '#domain/status.ts'

/** A state as a word with a mark; each kind of state has a shape of its own, so that it reads without colour (STA-001 to STA-019). */
export function Status({ status }: { status: string | null }) {
  return <span className={`status status-${markOf(status)}`}>{labelOf(status)}</span>
}
