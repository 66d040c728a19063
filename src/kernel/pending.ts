import type { Call } from '#contract/define.ts'

/**
 * A call whose answer is not known yet: kept until it is, also over a reload, so that it is never sent under another key.
 * It names nobody, because it stays in the browser after a sign-out, too (D120).
 */
export interface PendingCall {
  /** The idempotency key. */
  key: string
  /** Who sent it; another person's pending call is never sent. */
  person: string
  command: string
  /** The thing it is done to. */
  target: { entity: string; id: string } | null
  intent: string
  at: Call['at']
  body: Record<string, unknown>
  since: number
  /** True once asking stopped because the server failed again and again: only the same call made anew takes the key up. */
  gaveUp?: boolean
}

/** Where pending calls are kept. */
export interface PendingStore {
  /** Keeps a call that is being asked for now. */
  put(call: PendingCall): void
  /** The answer is known. */
  drop(key: string): void
  /** Nobody asks any more, and the answer is still not known. */
  leave(key: string, gaveUp: boolean): void
  all(): readonly PendingCall[]
}

/** The pending call that is the very same: its key has to be used again. */
export const sameCall = (
  calls: readonly PendingCall[],
  call: Pick<PendingCall, 'person' | 'intent' | 'at' | 'body'>,
): PendingCall | undefined => calls.find((each) => identity(each) === identity(call))

/** What a call must find as it was, as 'invoice 40101': what it is done to, and the invoices of `expected`. */
export function touched({ target, body }: Pick<PendingCall, 'target' | 'body'>): string[] {
  const { version, expected } = body
  const invoices = typeof expected === 'object' && expected !== null ? Object.keys(expected) : []
  return [...(target && version !== undefined ? [`${target.entity} ${target.id}`] : []), ...invoices.map((id) => `invoice ${id}`)]
}

/**
 * True while a call without an answer touches something that another one would touch: that was made of what stood before it,
 * or after it, and nobody knows which. Of calls that were given up the person was told.
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

/** Fields in one order, so that equal bodies read equal. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, sorted(item)])
}
