import type { Call } from '#contract/define.ts'

/**
 * State of a call in the outbox. `sending`: the first attempt is under way. `unknown`: an attempt had no answer, so the call is
 * sent again. `waiting`: the session ended before there was an answer; it is sent again after the next sign-in. `given-up`: the
 * server kept failing; only an identical call takes up the key.
 */
export const callStates = ['sending', 'unknown', 'waiting', 'given-up'] as const
export type CallState = (typeof callStates)[number]

/** How a call ends; it leaves the outbox then. */
type CallEnd = 'done' | 'refused' | 'not-sent'

type CallEvent = 'sent' | 'unanswered' | 'answered' | 'refused' | 'session-over' | 'server-failing'

/** The state after an event; null is a call that is not in the outbox yet. */
export function stateAfter(state: CallState | null, event: CallEvent): CallState | CallEnd {
  switch (event) {
    // A call found in the outbox has no answer to its earlier attempts.
    case 'sent':
      return state === null ? 'sending' : 'unknown'
    case 'unanswered':
      return 'unknown'
    // An expired session says nothing about earlier attempts. Without any, nothing was done, and nothing sends the call again.
    case 'session-over':
      return state === 'unknown' ? 'waiting' : 'not-sent'
    case 'server-failing':
      return 'given-up'
    case 'answered':
      return 'done'
    case 'refused':
      return 'refused'
  }
}

/** Whether a call stays in the outbox. */
export const isOpen = (state: CallState | CallEnd): state is CallState => (callStates as readonly string[]).includes(state)

/**
 * A call whose answer is not known yet. It is stored until then, also across reloads, so that it is never sent under another
 * key. It contains no names, because it stays in the browser after sign-out.
 */
export interface OutboxCall {
  state: CallState
  /** The idempotency key. */
  key: string
  /** Id of the person who sent it; a call of another person is never sent. */
  person: string
  command: string
  /** The record it acts on. */
  target: { entity: string; id: string } | null
  intent: string
  at: Call['at']
  body: Record<string, unknown>
  /** When it was first sent. */
  since: number
}

/** Storage of calls without an answer. */
export interface Outbox {
  all(): readonly OutboxCall[]
  /** Adds or replaces a call. Its title names people, so it is displayed and not stored. */
  put(call: OutboxCall, title: string): void
  /** Removes a call whose answer is known. */
  drop(key: string): void
}

/** The call that is identical, whose key must be reused. */
export const sameCall = (
  calls: readonly OutboxCall[],
  call: Pick<OutboxCall, 'person' | 'intent' | 'at' | 'body'>,
): OutboxCall | undefined => calls.find((each) => identity(each) === identity(call))

/** Records that a call expects unchanged, as 'invoice 40101': its target and the invoices of `expected`. */
export function touched({ target, body }: Pick<OutboxCall, 'target' | 'body'>): string[] {
  const { version, expected } = body
  const invoices = typeof expected === 'object' && expected !== null ? Object.keys(expected) : []
  return [...(target && version !== undefined ? [`${target.entity} ${target.id}`] : []), ...invoices.map((id) => `invoice ${id}`)]
}

/**
 * True while an unanswered call touches a record that another call would touch: whether that one was based on the state before
 * or after it is unknown. Calls that were given up do not block; the person has been notified of these.
 */
export const isInTheWay = (
  calls: readonly OutboxCall[],
  call: Pick<OutboxCall, 'person' | 'key' | 'target' | 'body'>,
): boolean => {
  const records = touched(call)
  return calls.some(
    (each) =>
      each.person === call.person &&
      each.key !== call.key &&
      each.state !== 'given-up' &&
      touched(each).some((record) => records.includes(record)),
  )
}

const identity = ({ person, intent, at, body }: Pick<OutboxCall, 'person' | 'intent' | 'at' | 'body'>): string =>
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
