import type { Call } from '#contract/define.ts'
import { isInTheWay, type PendingStore, sameCall } from '#kernel/pending.ts'
import type { Problem } from '#contract/problem.ts'
import { isSessionOver, Refusal, Unanswered, type ApiClient } from '#kernel/api-client.ts'

/** What a call is sent for. */
export interface About {
  command: string
  /** 'Pause employee, Benjamin Ortiz'. */
  title: string
  target?: { entity: string; id: string } | null
  /** The key of a call that is not pending already; without it a new one. */
  key?: string
}

export interface Sending {
  apiClient: ApiClient
  pending: PendingStore
  /** The person's id. */
  person: string
  newKey: () => string
  /** Whether the API knows a call by its key, so that it may be sent again; without it, it does. */
  repeats?: (call: Call) => boolean
  /** Whether that person is still the one signed in: as another one nothing of theirs is sent. Without it, they are. */
  isHere?: () => boolean
  /** Waits before asking again: some time, or until the network is back. */
  wait: (attempt: number) => Promise<void>
  /** Told each time an answer did not come: nobody knows whether it went through. */
  onUnknown?: (about: About & { key: string; body: Call['body'] }, attempt: number) => void
  /** Told once asking ended, after `onUnknown`. */
  onKnown?: (key: string) => void
}

/** After so many answers of failure (5xx) in one go, asking stops. */
export const failuresUntilGivingUp = 4

/** The server said several times that it failed: the person is told, and the same call made again has the same key. */
export class GaveUp extends Error {
  /** The server's own words, and what to do where it is not sure that nothing happened. */
  readonly detail: string | null
  constructor(detail: string | null) {
    super(detail ?? 'The server failed')
    this.detail = detail
  }
}

/** The session was over: this attempt did nothing. It is `unsure` where an earlier one had no answer, and so may have gone through. */
export class SessionOver extends Refusal {
  readonly unsure: boolean
  constructor(problem: Problem, unsure: boolean) {
    super(problem)
    this.unsure = unsure
  }
}

/** How a call is refused here whose person is not the one signed in any more. */
const gone: Problem = {
  type: 'about:blank',
  title: 'Not sent',
  status: 401,
  code: 'not-signed-in',
  detail: 'Your session has expired. Please login again.',
}
const notSure = 'It may have gone through all the same. Sending it again is safe: it happens once.'
/** For an API that would do it twice. */
const lookFirst = 'It may have gone through all the same. Look at it before you do it again.'
/** How a call is refused here that another one without an answer is in the way of. */
const unconfirmed = {
  type: 'about:blank',
  title: 'Not sent',
  status: 409,
  code: 'unconfirmed',
  detail: 'Not sent: an earlier change of the same is not confirmed yet. Once it is, look at what it did, then send again.',
}

/**
 * Sends one call exactly once. A definite answer (2xx, 4xx) ends its key; after an unknown outcome the same key and
 * body are sent again until there is one. Throws `Refusal` for a definite no, also where an earlier call of this person without
 * an answer touches the same; `SessionOver` for one that came too late; `GaveUp` when the server keeps failing.
 */
export async function sendOnce(call: Call, about: About, io: Sending): Promise<unknown> {
  const { command, title, target = null } = about
  const same = { person: io.person, intent: call.intent.id, at: call.at, body: call.body }
  if (io.repeats?.(call) === false) return sendNeverAgain(call, command, io)
  const pending = io.pending.all()
  // What may have gone through is never sent under another key, also by a form that has one of its own.
  const key = sameCall(pending, same)?.key ?? about.key ?? io.newKey()
  const isPending = pending.some((each) => each.key === key)
  if (!isPending && isInTheWay(pending, { ...same, key, target })) throw new Refusal(unconfirmed)
  io.pending.put({ ...same, key, command, target, since: Date.now() })
  let isReported = false
  let failures = 0
  let lost = false
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        if (io.isHere?.() === false) throw new Refusal(gone)
        const answer = await io.apiClient.send(call.intent, call.at, call.body, { key, command })
        io.pending.drop(key)
        return answer
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        if (error.answered) failures++
        else lost = true
        if (failures >= failuresUntilGivingUp)
          throw new GaveUp([error.detail, lost ? notSure : null].filter(Boolean).join(' ') || null)
        isReported = true
        io.onUnknown?.({ command, title, target, key, body: call.body }, attempt)
        await io.wait(attempt)
      }
    }
  } catch (error) {
    // A session that was over says nothing about the attempts before: what may have gone through stays pending, and is asked again
    // after the next sign-in. What had no other answer was not done, and nothing sends it by itself (D533).
    const late = error instanceof Refusal && error.problem.status === 401
    const unsure = isPending || isReported
    if (error instanceof GaveUp) io.pending.leave(key, true)
    else if (late && unsure) io.pending.leave(key, false)
    else io.pending.drop(key)
    throw late && isSessionOver(error.problem) ? new SessionOver(error.problem, unsure) : error
  } finally {
    if (isReported) io.onKnown?.(key)
  }
}

/** Sends a call to an API that does not know it by its key: without an answer a person has to look whether it went through. */
async function sendNeverAgain(call: Call, command: string, io: Sending): Promise<unknown> {
  try {
    return await io.apiClient.send(call.intent, call.at, call.body, { key: io.newKey(), command })
  } catch (error) {
    if (error instanceof Refusal && isSessionOver(error.problem)) throw new SessionOver(error.problem, false)
    if (error instanceof Unanswered) throw new GaveUp([error.detail, lookFirst].filter(Boolean).join(' '))
    throw error
  }
}

/** Keys of what one form sends: the same step with the same body keeps its key until it was definitely refused. */
export interface FormKeys {
  of(step: number, call: Call): string
  refused(step: number, call: Call): void
}

/** Makes the keys of one form. A plan that stopped half-way goes on where it stopped: steps done are answered as before. */
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
