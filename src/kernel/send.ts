import type { Call } from '#contract/define.ts'
import type { PendingStore } from '#kernel/pending.ts'
import { Refusal, Unanswered, type Wire } from '#kernel/wire.ts'

export interface Sending {
  wire: Wire
  pending: PendingStore
  /** The person's id. */
  person: string
  newKey: () => string
  /** Waits before asking again: milliseconds, or until the network is back. */
  wait: (attempt: number) => Promise<void>
  /** Told when nobody knows whether it went through, and again with the answer. */
  onUnknown?: (unknown: { title: string; attempt: number } | null) => void
}

/**
 * Sends one call exactly once. A definite answer (2xx, 4xx) ends its key; after an unknown outcome the same key and
 * body are sent again until there is one. Throws `Refusal` for a definite no.
 */
export async function sendOnce(
  call: Call,
  about: { command: string; title: string; key?: string },
  io: Sending,
): Promise<unknown> {
  const key = about.key ?? io.newKey()
  io.pending.put({
    key,
    person: io.person,
    command: about.command,
    title: about.title,
    intent: call.intent.id,
    at: call.at,
    body: call.body,
    since: Date.now(),
  })
  let told = false
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await io.wire.send(call.intent, call.at, call.body, { key, command: about.command })
        io.pending.drop(key)
        return answer
      } catch (error) {
        if (error instanceof Unanswered) {
          told = true
          io.onUnknown?.({ title: about.title, attempt })
          await io.wait(attempt)
          continue
        }
        // A session that ended says nothing about the call: it stays pending, and is asked again after the next sign-in.
        if (!(error instanceof Refusal) || error.problem.status !== 401) io.pending.drop(key)
        throw error
      }
    }
  } finally {
    if (told) io.onUnknown?.(null)
  }
}
