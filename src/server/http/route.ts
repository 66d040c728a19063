import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { AnswerOf, AnyEndpoint, AnyIntent, ParamsOf, QueryOf } from '#contract/define.ts'
import type { EventCategory } from '#domain/employee-event.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { Later } from '#server/postgres/transaction.ts'
import type { Database, Tx } from '#server/tables/database.ts'

/** What a handler is given; `actor` is there wherever the endpoint needs one. */
export interface Context<E extends AnyEndpoint> {
  tx: Tx
  actor: Actor
  params: ParamsOf<E>
  query: QueryOf<E>
  /** The network address and the `device-id` header of the caller, for sign-in limits. */
  caller: Caller
  /** Limits and secrets of sign-in and sessions. */
  auth: AuthSettings
  /** Real time; business time is asked of `businessDate(tx)`. */
  now: Date
  /** What the process has: secrets, the other routes, the way to carry out an intent (`performIntent`). */
  services: Services
  /** Of a write: issues what nothing in the transaction waits for. */
  later?: Later
  /** Of a write: its Idempotency-Key, for the events of what it touches beside its subject. */
  key?: string | null
  /** Of a write: which command the client says it was. */
  command?: string | null
}

/** A read, or a write that is not an intent (sign-in, runs): one handler. */
export interface PlainRoute<E extends AnyEndpoint = AnyEndpoint> {
  endpoint: E
  handle: Handle<E>
  /** What the same call sent again is answered, from what it was answered at first: as things stand now, with the rights of now. */
  again?: (context: Parameters<Handle<E>>[0], first: AnswerOf<E>) => Promise<AnswerOf<E>>
}

type Handle<E extends AnyEndpoint> = (
  context: Context<E> & { body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined },
) => Promise<AnswerOf<E>>

/** A call whose records outlive its refusal (a failed sign-in is counted): public, and opens its own transactions. */
export interface OwnTransactionsRoute<E extends AnyEndpoint = AnyEndpoint> {
  endpoint: E
  ownTransactions: true
  /** For a call with a file and without sign-in: throws to refuse the sender before its body is read. */
  admits?: Admits | undefined
  handle: (
    context: Omit<Context<E>, 'tx' | 'actor'> & {
      db: Kysely<Database>
      body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
    },
  ) => Promise<AnswerOf<E>>
}

type Admits = (asked: {
  db: Kysely<Database>
  auth: AuthSettings
  caller: Caller
  headers: Readonly<Record<string, string | string[] | undefined>>
  now: Date
}) => Promise<void>

/** A write that means something: the subject is locked, judged by the intent's rule, then changed and audited. */
export interface IntentRoute<E extends AnyEndpoint = AnyEndpoint, Subject = unknown> {
  endpoint: E
  /** Loads and locks (`for update`) what the call is about, inside the actor's access; null is answered with 404. */
  subject: (context: Context<E> & { body?: Record<string, unknown> }) => Promise<Subject | null>
  /** Locks taken before the subject, where waiting may change the rights of the caller: they are read again afterwards. */
  lock?: (tx: Tx) => Promise<void>
  /** Under which name and id the audit event and the history file it; a version of null is never stale. */
  target: (subject: Subject) => { entity: string; id: string; version: number | null; category?: EventCategory }
  /** The subject as the audit keeps it, before and after; no secrets. */
  snapshot: (subject: Subject) => Record<string, unknown>
  /** What a stale version is answered with; by default the GET of the same path, else the snapshot. */
  facts?: (context: Context<E> & { subject: Subject }) => Promise<unknown>
  intents: readonly IntentHandler<E, Subject>[]
}

/** What an intent did. */
export interface Applied<E extends AnyEndpoint, Subject> {
  /** The subject as it is afterwards. */
  after: Subject
  answer: AnswerOf<E>
  /** For the history, instead of what the person wrote in reason, details and notes. */
  text?: string | null
  /** True where it was so already: nothing changed, so that there is no event. */
  unchanged?: boolean
}

export interface IntentHandler<E extends AnyEndpoint = AnyEndpoint, Subject = unknown> {
  intent: AnyIntent
  /** Makes the change; the subject is locked and allowed. */
  apply: (
    context: Context<E> & { subject: Subject; body: Record<string, unknown>; ahead: unknown },
  ) => Promise<Applied<E, Subject>>
  /** What takes long and needs nothing that is locked: done before the transaction begins, and given to `apply`. */
  ahead?: Ahead<Record<string, unknown>, unknown>
}

type Ahead<Body, Made> = (asked: { body: Body; auth: AuthSettings }) => Promise<Made>

// biome-ignore lint/suspicious/noExplicitAny: the width of every route, where no type of its own is read
export type AnyRoute = PlainRoute<any> | OwnTransactionsRoute<any> | IntentRoute<any, any>

/** One meaning of an endpoint, with its body compiled. */
export interface ReadyIntent {
  intent: AnyIntent
  apply: IntentHandler['apply']
  ahead: IntentHandler['ahead']
  body: z.ZodObject
  /** For runs, which change whatever version they find. */
  bodyWithoutVersion: z.ZodObject
  route: ReadyRoute
}

/** A route with everything compiled that a request needs. */
export interface ReadyRoute {
  endpoint: AnyEndpoint
  params: z.ZodObject
  query: z.ZodObject
  /** Of a plain write; an intent has its own. */
  body: z.ZodType | undefined
  plain: PlainRoute['handle'] | undefined
  /** Of a plain write: how a call sent again is answered. */
  again: PlainRoute['again'] | undefined
  ownTransactions: OwnTransactionsRoute['handle'] | undefined
  admits: OwnTransactionsRoute['admits']
  change: IntentRoute | undefined
  intents: readonly ReadyIntent[]
}

/** Whether nobody signs in for a route: an intent is somebody's, whatever its endpoint needs. */
export const isPublic = ({ endpoint, change }: ReadyRoute): boolean => endpoint.needs.kind === 'public' && change === undefined

export interface RouteTable {
  routes: readonly ReadyRoute[]
  /** Every endpoint and intent of the contract, with a route or not. */
  endpoints: readonly AnyEndpoint[]
  intents: readonly AnyIntent[]
  /** By method and path: `GET /employees/{id}`. */
  byEndpoint: ReadonlyMap<string, ReadyRoute>
  byIntent: ReadonlyMap<string, ReadyIntent>
}

/** Connections apart from those of requests. */
export interface Background {
  db: Kysely<Database>
  pool: Pool
}

/** Services of one server process, created once at composition. */
export interface Services {
  db: Kysely<Database>
  /** For changes that a person waits for. */
  changing: Kysely<Database>
  /** For work that nobody waits for in front of a screen, and that may take longer: runs, exports, the clock. */
  background: Background
  auth: AuthSettings
  /** Signs cursors: `sealCursor(services.cursorSecret, ...)`. */
  cursorSecret: string
  routes: RouteTable
  /** Milliseconds after which a request is answered with 503, whatever it waits for. */
  answerWithin: number
  /** Checks every answer against the contract. */
  checkAnswers: boolean
}

/** Declares a read or a plain write. */
export const route = <E extends AnyEndpoint>(
  endpoint: E,
  handle: PlainRoute<E>['handle'],
  more: Pick<PlainRoute<E>, 'again'> = {},
): PlainRoute<E> => ({
  endpoint,
  handle,
  ...more,
})

/** Declares a call that opens its own transactions. */
export const ownTransactions = <E extends AnyEndpoint>(
  endpoint: E,
  handle: OwnTransactionsRoute<E>['handle'],
  admits?: Admits,
): OwnTransactionsRoute<E> => ({ endpoint, ownTransactions: true, handle, admits })

/** Declares a write with intents. */
export const change = <E extends AnyEndpoint, Subject>(
  endpoint: E,
  rest: Omit<IntentRoute<E, Subject>, 'endpoint'>,
): IntentRoute<E, Subject> => ({
  endpoint,
  ...rest,
})

/** Declares what one intent of a route does, and what of it is done `ahead`. */
export const on = <I extends AnyIntent, Subject, Made = undefined>(
  intent: I,
  apply: (
    context: Context<I['endpoint']> & { subject: Subject; body: z.output<I['body']>; ahead: Made },
  ) => Promise<Applied<I['endpoint'], Subject>>,
  ahead?: Ahead<z.output<I['body']>, Made>,
): IntentHandler<I['endpoint'], Subject> => ({
  intent,
  apply: apply as IntentHandler<I['endpoint'], Subject>['apply'],
  ...(ahead ? { ahead: ahead as IntentHandler['ahead'] } : {}),
})
