import { withoutSecrets } from '#contract/secrets.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { RowKey } from '#server/tables/rows.ts'
import type { Context, ReadyIntent, ReadyRoute } from '#server/http/route.ts'

// biome-ignore lint/suspicious/noExplicitAny: the width of every context
export type AnyContext = Context<any>

/** A write that is parsed and allowed as far as that can be decided without its target. */
export interface Write {
  route: ReadyRoute
  intent?: ReadyIntent
  actor: Actor
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | undefined
  caller: Caller
  now: Date
  /** From the header Idempotency-Key, or null. */
  key: string | null
  /** The command that the client names, or null. */
  command: string | null
  /** The record that the request names, looked up along with the person. */
  located?: RowKey | undefined
  /** The moment, in milliseconds, after which nobody waits for the answer: nothing is committed after it. */
  until?: number
}

/** The reply to send; `json` is null for 204. */
export interface Reply {
  status: number
  json: string | null
  replayed: boolean
}

/** A body without its secrets: the part that may be stored and written to the audit. */
export const storableBody = ({
  intent,
  route,
  body,
}: Pick<Write, 'intent' | 'route' | 'body'>): Record<string, unknown> | undefined => {
  const schema = intent?.intent.body ?? route.endpoint.body
  return body && schema ? (withoutSecrets(schema, body) as Record<string, unknown>) : body
}

/** A successful answer as a reply. */
export const replyFor = ({ endpoint }: ReadyRoute, answer: unknown): Reply => ({
  status: endpoint.status,
  json: endpoint.status === 204 ? null : JSON.stringify(answer),
  replayed: false,
})
