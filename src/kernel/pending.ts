import type { Call } from '#contract/define.ts'

/**
 * A call whose answer is not known yet. It is stored until then, also across reloads, so that it is never sent under another
 * key. It contains no names, because it stays in the browser after sign-out (D120).
 */
export interface PendingCall {
  /** The idempotency key. */
  key: string
  /** Id of the person who sent it; a pending call of another person is never sent. */
  person: string
  command: string
  /** The record it acts on. */
  target: { entity: string; id: string } | null
  intent: string
  at: Call['at']
  body: Record<string, unknown>
  since: number
  /** True after retries stopped because the server kept failing: only an identical call takes up the key again. */
  gaveUp?: boolean
}

/** Storage of pending calls. */
export interface PendingStore {
  /** Stores a call that is being sent. */
  put(call: PendingCall): void
  /** Removes a call whose answer is known. */
  drop(key: string): void
  /** Retries have stopped and the answer is still unknown. */
  leave(key: string, gaveUp: boolean): void
  all(): readonly PendingCall[]
}

/** The pending call that is identical, whose key must be reused. */
export const sameCall = (
  calls: readonly PendingCall[],
  call: Pick<PendingCall, 'person' | 'intent' | 'at' | 'body'>,
): PendingCall | undefined => calls.find((each) => identity(each) === identity(call))

/** Records that a call expects unchanged, as 'invoice 40101': its target and the invoices of `expected`. */
export function touched({ target, body }: Pick<PendingCall, 'target' | 'body'>): string[] {
  const { version, expected } = body
  const invoices = typeof expected === 'object' && expected !== null ? Object.keys(expected) : []
  return [...(target && version !== undefined ? [`${target.entity} ${target.id}`] : []), ...invoices.map((id) => `invoice ${id}`)]
}

/**
 * True while an unanswered call touches a record that another call would touch: whether that one was based on the state before
 * or after it is unknown. Calls that were given up do not block; the person has been notified of these.
 */
export const isInTheWay = (
  calls: readonly PendingCall[],
  call: Pick<PendingCall, 'person' | 'key' | 'target' | 'body'>,
): boolean => {
  const records = touched(call)
  return calls.some(
    (each) =>
      each.person === call.person &&
      each.key !== call.key &&
      !each.gaveUp &&
      touched(each).some((record) => records.includes(record)),
  )
}

const identity = ({ person, intent, at, body }: Pick<PendingCall, 'person' | 'intent' | 'at' | 'body'>): string =>
  JSON.stringify([person, intent, sorted(at), sorted(body)])

/** Sorts keys, so that equal bodies serialize equally. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, sorted(item)])
}
