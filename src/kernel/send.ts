import type { Call } from '#contract/define.ts'
import { outcomeText } from '#kernel/interruption.ts'
import { isInTheWay, isOpen, type Outbox, sameCall, stateAfter } from '#kernel/outbox.ts'
import type { Problem } from '#contract/problem.ts'
import { isSessionOver, Refusal, Unanswered, type ApiClient } from '#kernel/api-client.ts'

/** Context of a call. */
export interface About {
  command: string
  /** 'Pause employee, Benjamin Ortiz'. */
  title: string
  target?: { entity: string; id: string } | null
  /** Key of a call that is not pending already; defaults to a new one. */
  key?: string
}

export interface Sending {
  apiClient: ApiClient
  outbox: Outbox
  /** Id of the person. */
  person: string
  newKey: () => string
  /** Whether the API supports idempotency keys for a call, so that it can be retried; defaults to yes. */
  repeats?: (call: Call) => boolean
  /** Whether that person is still signed in: nothing of theirs is sent as another person. Defaults to yes. */
  isHere?: () => boolean
  /** Waits before a retry: for some time, or until the network is back. */
  wait: (attempt: number) => Promise<void>
}

/** Number of server failures (5xx) after which retries stop. */
const failuresUntilGivingUp = 4

/** The server failed repeatedly: the person is notified, and an identical call reuses the key. */
export class GaveUp extends Error {
  /** The server's own text, and what to do if the outcome is uncertain. */
  readonly detail: string | null
  constructor(detail: string | null) {
    super(detail ?? 'The server failed')
    this.detail = detail
  }
}

/** The session expired: this attempt did nothing. `unsure` if an earlier one had no answer and may have succeeded. */
export class SessionOver extends Refusal {
  readonly unsure: boolean
  constructor(problem: Problem, unsure: boolean) {
    super(problem)
    this.unsure = unsure
  }
}

/** Refusal of a call whose sender is no longer signed in. */
const notSignedIn: Problem = {
  type: 'about:blank',
  title: 'Not sent',
  status: 401,
  code: 'not-signed-in',
  detail: 'Your session has expired. Please login again.',
}
/** Refusal of a call that an unanswered one blocks. */
const unconfirmed = { type: 'about:blank', title: 'Not sent', status: 409, code: 'unconfirmed', detail: outcomeText.blocked }

/**
 * Repeats a request under one idempotency key until there is a definite answer; `unanswered` is called each time there is none.
 * Throws `Refusal` for a definite no, `SessionOver` if the session expired, and `GaveUp` if the server keeps failing.
 */
export async function untilAnswered<Answer>(
  request: () => Promise<Answer>,
  wait: Sending['wait'],
  unanswered: () => void = () => {},
): Promise<Answer> {
  let failures = 0
  let lost = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (error instanceof Refusal && isSessionOver(error.problem)) throw new SessionOver(error.problem, attempt > 1)
      if (!(error instanceof Unanswered)) throw error
      if (error.answered) failures++
      else lost = true
      if (failures >= failuresUntilGivingUp)
        throw new GaveUp([error.detail, lost ? outcomeText.safeToSend : null].filter(Boolean).join(' ') || null)
      unanswered()
      await wait(attempt)
    }
  }
}

/**
 * Sends one call exactly once. A definite answer (2xx, 4xx) ends its key; after an unknown outcome the same key and body are
 * sent again until there is one. Throws as `untilAnswered` does; `Refusal` also if an unanswered call of this person touches the
 * same records.
 */
export async function sendOnce(call: Call, about: About, io: Sending): Promise<unknown> {
  const { command, title, target = null } = about
  const same = { person: io.person, intent: call.intent.id, at: call.at, body: call.body }
  if (io.repeats?.(call) === false) return sendWithoutKey(call, command, io)
  const calls = io.outbox.all()
  // A call that may have succeeded is never sent under another key, not even by a form with a key of its own.
  const key = sameCall(calls, same)?.key ?? about.key ?? io.newKey()
  const known = calls.find((each) => each.key === key)
  if (!known && isInTheWay(calls, { ...same, key, target })) throw new Refusal(unconfirmed)
  const since = known?.since ?? Date.now()
  let state = known?.state ?? null
  const follow = (event: Parameters<typeof stateAfter>[1]): void => {
    const next = stateAfter(state, event)
    state = isOpen(next) ? next : null
    if (state) io.outbox.put({ ...same, state, key, command, target, since }, title)
    else io.outbox.drop(key)
  }
  const attempt = async () => {
    if (io.isHere?.() === false) throw new Refusal(notSignedIn)
    return io.apiClient.send(call.intent, call.at, call.body, { key, command })
  }
  follow('sent')
  try {
    const answer = await untilAnswered(attempt, io.wait, () => follow('unanswered'))
    follow('answered')
    return answer
  } catch (error) {
    const isUnauthorized = error instanceof Refusal && error.problem.status === 401
    follow(error instanceof GaveUp ? 'server-failing' : isUnauthorized ? 'session-over' : 'refused')
    throw error instanceof SessionOver ? new SessionOver(error.problem, state === 'waiting') : error
  }
}

/** Sends a call to an API without idempotency keys: without an answer the person has to check whether it succeeded. */
async function sendWithoutKey(call: Call, command: string, io: Sending): Promise<unknown> {
  try {
    return await io.apiClient.send(call.intent, call.at, call.body, { key: io.newKey(), command })
  } catch (error) {
    if (error instanceof Refusal && isSessionOver(error.problem)) throw new SessionOver(error.problem, false)
    if (error instanceof Unanswered) throw new GaveUp([error.detail, outcomeText.lookFirst].filter(Boolean).join(' '))
    throw error
  }
}

/** Keys of the calls of one form: the same step with the same body keeps its key until it is definitely refused. */
export interface FormKeys {
  of(step: number, call: Call): string
  refused(step: number, call: Call): void
}

/** Creates the keys of one form. A plan that stopped half-way continues there: completed steps are answered from the first attempt. */
export function formKeys(newKey: () => string): FormKeys {
  const keys = new Map<string, string>()
  const name = (step: number, call: Call) => JSON.stringify([step, call.intent.id, call.at, call.body])
  return {
    of: (step, call) => {
      const known = keys.get(name(step, call)) ?? newKey()
      keys.set(name(step, call), known)
      return known
    },
    refused: (step, call) => void keys.delete(name(step, call)),
  }
}
