import { type AnyEndpoint, carried, fill } from '#contract/define.ts'
import type { Outbox } from '#kernel/outbox.ts'
import { memoryOutbox } from '#tests/kernel/memory-outbox.ts'
import type { Reread } from '#kernel/run.ts'
import type { Sending } from '#kernel/send.ts'
import { asProblem, Refusal, Unanswered, type ApiClient } from '#kernel/api-client.ts'
import { call, type TestServer } from '#tests/support/server.ts'
import type { SignedIn } from '#tests/support/session.ts'

/** Faults of the nth request: the answer is lost after the server worked, or a proxy fails. */
export type Fault = 'lost' | 'failed' | null

/** The kernel's API client over a real connection to a real server, with a faulty network. */
export function realClient(server: TestServer, person: SignedIn, faults: readonly Fault[] = []): ApiClient & { keys: string[] } {
  const left = [...faults]
  const keys: string[] = []
  const ask = async (
    endpoint: AnyEndpoint,
    at: Record<string, string | number>,
    body: unknown,
    headers: Record<string, string>,
    search = '',
  ) => {
    const fault = left.shift() ?? null
    if (fault === 'failed') throw new Unanswered('The gateway is down.', true)
    const answer = await call(server, endpoint.method, `${fill(endpoint.path, at)}${search}`, {
      headers: { ...person.headers, ...headers },
      body,
    })
    if (fault === 'lost') throw new Unanswered()
    if (answer.status < 300) return answer.body
    if (answer.status >= 500) throw new Unanswered(asProblem(answer.body)?.detail ?? null, true)
    throw new Refusal(asProblem(answer.body) as never)
  }
  return {
    keys,
    read: (endpoint, at, query) => ask(endpoint, at, undefined, {}, query ? `?${new URLSearchParams(query)}` : ''),
    send: (intent, at, given, { key, command }) => {
      keys.push(key)
      const { body, query, headers } = carried(intent.endpoint, given)
      const search = `?${new URLSearchParams(query)}`
      return ask(intent.endpoint, at, body, { 'idempotency-key': key, command, ...headers }, search)
    },
    post: (endpoint, at, body, options) => ask(endpoint, at, body ?? {}, options?.key ? { 'idempotency-key': options.key } : {}),
  }
}

/** The environment of a run, without delays between attempts; `states` are those of its calls, null after an answer. */
export function runEnvironment(
  apiClient: ApiClient,
  person: SignedIn,
  reread: Reread = async (target) => target,
  outbox: Outbox = memoryOutbox(),
): Sending & { reread: Reread; states: (string | null)[] } {
  const states: (string | null)[] = []
  return {
    apiClient,
    outbox: {
      all: outbox.all,
      put: (call, title) => {
        states.push(`${call.state}: ${title}`)
        outbox.put(call, title)
      },
      drop: (key) => {
        states.push(null)
        outbox.drop(key)
      },
    },
    person: person.id,
    newKey: () => crypto.randomUUID(),
    wait: async () => {},
    reread,
    states,
  }
}
