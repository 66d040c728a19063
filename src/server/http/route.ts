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

/** The argument of a handler; `actor` is set wherever the endpoint requires sign-in. */
export interface Context<E extends AnyEndpoint> {
  tx: Tx
  actor: Actor
  params: ParamsOf<E>
  query: QueryOf<E>
  /** The network address and the `device-id` header of the caller, for sign-in limits. */
  caller: Caller
  /** Limits and secrets of sign-in and sessions. */
  auth: AuthSettings
  /** Real time; for business time use `businessDate(tx)`. */
  now: Date
  /** Services of the process: secrets, the other routes, executing an intent (`performIntent`). */
  services: Services
  /** For a write: queues a statement whose result nothing in the transaction needs. */
  later?: Later
  /** For a write: its Idempotency-Key, for the events of records it touches besides its subject. */
  key?: string | null
  /** For a write: the command that the client names. */
  command?: string | null
}

/** A read, or a write that is not an intent (sign-in, runs): one handler. */
export interface PlainRoute<E extends AnyEndpoint = AnyEndpoint> {
  endpoint: E
  handle: Handle<E>
  /** Answers a replayed call, given the first answer: with current data and current permissions. */
  again?: (context: Parameters<Handle<E>>[0], first: AnswerOf<E>) => Promise<AnswerOf<E>>
}

type Handle<E extends AnyEndpoint> = (
  context: Context<E> & { body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined },
) => Promise<AnswerOf<E>>

/** A call whose records survive its refusal (a failed sign-in is counted): public, and opens its own transactions. */
export interface OwnTransactionsRoute<E extends AnyEndpoint = AnyEndpoint> {
  endpoint: E
  ownTransactions: true
  /** For a call with a file and without sign-in: throws to refuse the sender before its body is read. */
  admits?: AdmissionCheck | undefined
  handle: (
    context: Omit<Context<E>, 'tx' | 'actor'> & {
      db: Kysely<Database>
      body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
    },
  ) => Promise<AnswerOf<E>>
}

type AdmissionCheck = (asked: {
  db: Kysely<Database>
  auth: AuthSettings
  caller: Caller
  headers: Readonly<Record<string, string | string[] | undefined>>
  now: Date
}) => Promise<void>

/** A write with intents: the subject is locked, validated by the intent's rule, then changed and audited. */
export interface IntentRoute<E extends AnyEndpoint = AnyEndpoint, Subject = unknown> {
  endpoint: E
  /** Loads and locks (`for update`) the subject of the call, inside the actor's access; null is answered with 404. */
  subject: (context: Context<E> & { body?: Record<string, unknown> }) => Promise<Subject | null>
  /** Locks taken before the subject, where waiting may change the rights of the caller: they are read again afterwards. */
  lock?: (tx: Tx) => Promise<void>
  /** Name and id for the audit event and the history; a null version is never stale. */
  target: (subject: Subject) => { entity: string; id: string; version: number | null; category?: EventCategory }
  /** The subject as stored in the audit, before and after; no secrets. */
  snapshot: (subject: Subject) => Record<string, unknown>
  /** The facts in the answer to a stale version; by default the GET of the same path, else the snapshot. */
  facts?: (context: Context<E> & { subject: Subject }) => Promise<unknown>
  intents: readonly IntentHandler<E, Subject>[]
}

/** The result of an intent. */
export interface Applied<E extends AnyEndpoint, Subject> {
  /** The subject after the change. */
  after: Subject
  answer: AnswerOf<E>
  /** Text for the history, in place of the reason, details and notes of the body. */
  text?: string | null
  /** True when nothing changed, so that there is no event. */
  unchanged?: boolean
}

export interface IntentHandler<E extends AnyEndpoint = AnyEndpoint, Subject = unknown> {
  intent: AnyIntent
  /** Makes the change; the subject is locked and the change validated. */
  apply: (
    context: Context<E> & { subject: Subject; body: Record<string, unknown>; ahead: unknown },
  ) => Promise<Applied<E, Subject>>
  /** Slow work that needs no locked data: done before the transaction starts, and passed to `apply`. */
  ahead?: Ahead<Record<string, unknown>, unknown>
}

type Ahead<Body, Made> = (asked: { body: Body; auth: AuthSettings }) => Promise<Made>

// biome-ignore lint/suspicious/noExplicitAny: the width of every route, where its specific type is not used
export type AnyRoute = PlainRoute<any> | OwnTransactionsRoute<any> | IntentRoute<any, any>

/** An intent of an endpoint, with its body compiled. */
export interface ReadyIntent {
  intent: AnyIntent
  apply: IntentHandler['apply']
  ahead: IntentHandler['ahead']
  body: z.ZodObject
  /** For runs, which change whatever version they find. */
  bodyWithoutVersion: z.ZodObject
  route: ReadyRoute
}

/** A route with everything compiled for handling requests. */
export interface ReadyRoute {
  endpoint: AnyEndpoint
  params: z.ZodObject
  query: z.ZodObject
  /** For a plain write; an intent has its own. */
  body: z.ZodType | undefined
  plain: PlainRoute['handle'] | undefined
  /** For a plain write: answers a replayed call. */
  again: PlainRoute['again'] | undefined
  ownTransactions: OwnTransactionsRoute['handle'] | undefined
  admits: OwnTransactionsRoute['admits']
  change: IntentRoute | undefined
  intents: readonly ReadyIntent[]
}

/** Whether a route needs no sign-in; an intent always does, whatever its endpoint needs. */
export const isPublic = ({ endpoint, change }: ReadyRoute): boolean => endpoint.needs.kind === 'public' && change === undefined

export interface RouteTable {
  routes: readonly ReadyRoute[]
  /** Every endpoint and intent of the contract, with or without a route. */
  endpoints: readonly AnyEndpoint[]
  intents: readonly AnyIntent[]
  /** By method and path: `GET /employees/{id}`. */
  byEndpoint: ReadonlyMap<string, ReadyRoute>
  byIntent: ReadonlyMap<string, ReadyIntent>
}

/** Connections separate from those of requests. */
export interface Background {
  db: Kysely<Database>
  pool: Pool
}

/** Services of one server process, created once at composition. */
export interface Services {
  db: Kysely<Database>
  /** For changes that a person waits for. */
  changing: Kysely<Database>
  /** For background work that may take longer: runs, exports, the clock. */
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
  admits?: AdmissionCheck,
): OwnTransactionsRoute<E> => ({ endpoint, ownTransactions: true, handle, admits })

/** Declares a write with intents. */
export const change = <E extends AnyEndpoint, Subject>(
  endpoint: E,
  rest: Omit<IntentRoute<E, Subject>, 'endpoint'>,
): IntentRoute<E, Subject> => ({
  endpoint,
  ...rest,
})

/** Declares how a route executes one intent, with optional work `ahead` of the transaction. */
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
