import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { AnswerOf, AnyEndpoint, AnyIntent, ParamsOf, QueryOf } from '#contract/define.ts'
import type { EventCategory } from '#domain/employee-event.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { Later } from '#server/postgres/transaction.ts'
import type { Replicas } from '#server/postgres/replicas.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import type { BigTable, RowKey } from '#server/tables/rows.ts'

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
  /** For an intent: the record that `locate` names, looked up along with the person; undefined if it was not. */
  located?: RowKey | undefined
}

/** What a request has to say about the record that it names, not validated. */
export type Locate = (asked: Record<'params' | 'body', Readonly<Record<string, unknown>>>) => Located | null

/** A record by its id alone. */
export interface Located {
  table: BigTable | 'employers'
  id: number
}

/** Names the record of a big table with the id in the path. */
export const byId =
  (table: BigTable): Locate =>
  ({ params }) => ({ table, id: Number(params['id']) })

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
  subject: (context: Context<E> & { body?: Record<string, unknown> }) => Promise<Subject | null>
  lock?: ((tx: Tx) => Promise<void>) | undefined
  locate?: Locate | undefined
  target: (subject: Subject) => Target
  snapshot: (subject: Subject) => Record<string, unknown>
  facts?: ((context: Context<E> & { subject: Subject }) => Promise<unknown>) | undefined
  intents: readonly IntentHandler[]
}

/** Name and id of a subject for the audit event and the history; a null version is never stale. */
export interface Target {
  entity: string
  id: string
  version: number | null
  category?: EventCategory
}

export interface IntentHandler {
  intent: AnyIntent
  /** Makes the change; the subject is locked and the change validated. */
  apply: (context: Changing<AnyIntent, unknown, unknown>) => Promise<Applied<unknown> & { answer?: unknown }>
  /** Slow work that needs no locked data: done before the transaction starts, and passed to `apply`. */
  ahead?: Ahead<Record<string, unknown>, unknown> | undefined
}

/** The argument of a change. */
export type Changing<I extends AnyIntent, Subject, Made = undefined> = Context<I['endpoint']> & {
  intent: AnyIntent
  subject: Subject
  body: z.output<I['body']>
  /** The result of the work ahead of the transaction. */
  ahead: Made
}

/** The same for a function that several changes of a subject share. */
export type ChangeOf<Subject, Body = unknown> = Context<AnyEndpoint> & { subject: Subject; body: Body }

/** The result of a change. */
interface Applied<Subject> {
  /** The subject after the change. */
  after: Subject
  /** Text for the history, in place of the reason, details and notes of the body. */
  text?: string | null
  /** True when nothing changed, so that there is no event. */
  unchanged?: boolean
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
  /** Standbys for reads that may take long; null if there are none. */
  replicas: Replicas | null
}

/** Services of one server process, created once at composition. */
export interface Services {
  db: Kysely<Database>
  /** For changes that a person waits for. */
  changing: Kysely<Database>
  /** For background work that may take longer: runs, exports, the clock. */
  background: Background
  /** Standbys that answer reads; null if there are none. */
  replicas: Replicas | null
  auth: AuthSettings
  /** Signs cursors: `sealCursor(services.cursorSecret, ...)`. */
  cursorSecret: string
  routes: RouteTable
  /** Milliseconds after which a request is answered with 503, whatever it waits for. */
  answerWithin: number
  /** Aborted by the signal to stop, some time before nothing is accepted any more. */
  stopping: AbortSignal
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

/** The argument of the function that finds a subject. */
export type Loading<Params> = Omit<Context<AnyEndpoint>, 'params'> & { params: Params; body?: Record<string, unknown> }

/** How the subject of changes is found, recorded and answered. */
interface Changed<Subject, Answer, Params> {
  /** Its kind in the audit, if it has an id and a version. */
  entity?: string
  /** Loads and locks (`for update`) the subject of the call, inside the actor's access; null is answered with 404. */
  subject: (context: Loading<Params>) => Promise<Subject | null>
  /** Locks taken before the subject, where waiting may change the rights of the caller: they are read again afterwards. */
  lock?: (tx: Tx) => Promise<void>
  /**
   * Names the record whose organization is looked up along with the person, so that locking it by both takes no round trip more.
   */
  locate?: Locate
  /** The record that has the history, if it is not the subject itself. */
  target?: (subject: Subject) => Target
  /** The subject as stored in the audit, before and after; no secrets. */
  snapshot?: (subject: Subject) => Record<string, unknown>
  /** The subject as returned by the API, unless a change answers otherwise. */
  answer?: (subject: Subject, actor: Actor) => Answer
  /** The facts in the answer to a stale version: by default the answer, else the GET of the same path, else the snapshot. */
  facts?: (context: Context<AnyEndpoint> & { subject: Subject }) => Promise<unknown>
}

type AnswerTo<I extends AnyIntent, Answer> = [Answer] extends [AnswerOf<I['endpoint']>]
  ? { answer?: AnswerOf<I['endpoint']> }
  : { answer: AnswerOf<I['endpoint']> }

type Apply<I extends AnyIntent, Subject, After, Answer, Made> = (
  context: Changing<I, Subject, Made>,
) => Promise<Applied<After> & AnswerTo<I, Answer>>

/** Declares the changes of a kind of subject; the result declares one intent, with optional work `ahead` of the transaction. */
export const changing = <Subject, Answer = undefined, Params = { id: number }>(of: Changed<Subject, Answer, Params>) => {
  const { entity = '', answer } = of
  const route = {
    lock: of.lock,
    locate: of.locate,
    subject: of.subject as IntentRoute['subject'],
    target: (of.target ?? recordOf(entity)) as IntentRoute['target'],
    snapshot: (of.snapshot ?? (() => ({}))) as IntentRoute['snapshot'],
    facts: (of.facts ??
      (answer &&
        (async ({ subject, actor }: { subject: Subject; actor: Actor }) => answer(subject, actor)))) as IntentRoute['facts'],
  }
  return <I extends AnyIntent, Made = undefined>(
    intent: I,
    apply: Apply<I, Subject, Subject, Answer, Made>,
    ahead?: Ahead<z.output<I['body']>, Made>,
  ): IntentRoute => ({
    ...route,
    endpoint: intent.endpoint,
    intents: [
      {
        intent,
        apply: async (context) => {
          const done = await apply(context as never)
          return { answer: answer?.(done.after, context.actor), ...done }
        },
        ahead: ahead as IntentHandler['ahead'],
      },
    ],
  })
}

const recordOf =
  (entity: string) =>
  (row: unknown): Target => {
    const { id, version } = row as { id: unknown; version: number }
    return { entity, id: String(id), version }
  }

/**
 * Declares calls that create a record: `owner` is what they need, locked, in place of a subject. Until the record exists, the
 * event belongs to `before`.
 */
export const creating = <Owner, Row, Answer>(
  owner: Changed<Owner, undefined, unknown>['subject'],
  record: Pick<Changed<Row, Answer, never>, 'entity' | 'lock' | 'locate' | 'target' | 'snapshot' | 'answer'>,
  before: (owner: Owner) => Omit<Target, 'version'> = () => ({ entity: record.entity ?? '', id: '' }),
) => {
  const { entity = '', lock, locate, target = recordOf(entity), snapshot = () => ({}), answer } = record
  const declare = changing<{ owner: Owner; row: Row | null }, Answer, unknown>({
    lock,
    locate,
    subject: async (context) => {
      const found = await owner(context)
      return found && { owner: found, row: null }
    },
    target: ({ owner, row }) => (row ? target(row) : { ...before(owner), version: null }),
    snapshot: ({ row }) => (row ? snapshot(row) : {}),
    ...(answer ? { answer: ({ row }, actor) => answer(row as Row, actor) } : {}),
  })
  return <I extends AnyIntent, Made = undefined>(
    intent: I,
    apply: Apply<I, Owner, Row, Answer, Made>,
    ahead?: Ahead<z.output<I['body']>, Made>,
  ): IntentRoute =>
    declare<I, Made>(
      intent,
      async (context) => {
        const { owner } = context.subject
        const { after: row, ...done } = await apply({ ...context, subject: owner })
        return { ...done, after: { owner, row } } as never
      },
      ahead,
    )
}
