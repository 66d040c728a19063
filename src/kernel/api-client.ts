import type { AnswerOf, AnyEndpoint, AnyIntent, At } from '#contract/define.ts'
import { oneOfPermissions, Problem } from '#contract/problem.ts'
import { isPermissionName, rightTo } from '#domain/permissions.ts'

/** A definite refusal: the API answered with a client error (4xx). */
export class Refusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

/** The outcome is unknown: no answer arrived, or the server failed (5xx). */
export class Unanswered extends Error {
  /** The server's own text, if it sent any. */
  readonly detail: string | null
  /** True when the server did answer, with a failure (5xx). */
  readonly answered: boolean
  constructor(detail: string | null = null, answered = false) {
    super(detail ?? 'No answer')
    this.detail = detail
    this.answered = answered
  }
}

/** The failure of a server that answered 5xx, with the number by which support finds it in the logs if it was not expected. */
export function unansweredBy(problem: Problem | null): Unanswered {
  const { detail = null, status, request_id: request } = problem ?? {}
  return new Unanswered(detail && request && status === 500 ? `${detail} Reference: ${request}` : detail, true)
}

/** Whether the call was refused because the session has expired. An expired application key does not count. */
export const isSessionOver = ({ status, code }: Problem): boolean => status === 401 && code !== 'application-key-invalid'

/** The server's own text about an error; null if it sent none. */
export const detailOf = (error: unknown): string | null =>
  error instanceof Refusal ? (error.problem.detail ?? null) : error instanceof Unanswered ? error.detail : null

/** The missing permission that a refusal names, in words; null if it was refused for another reason. */
export function lackedIn({ code, errors = [] }: Problem): string | null {
  if (code !== 'permission-denied') return null
  const names = errors.map(({ message }) => message).filter(isPermissionName)
  return names.length > 0 ? rightTo(names, errors.some(({ path }) => path === oneOfPermissions) ? 'or' : 'and') : null
}

export interface SendOptions {
  key: string
  /** Id of the command, for the audit. */
  command: string
  signal?: AbortSignal
}

/** Client of the API. The portal implements it with ky, tests talk to a real server. Throws `Refusal` or `Unanswered`. */
export interface ApiClient {
  read<E extends AnyEndpoint>(
    endpoint: E,
    at: At,
    query?: Record<string, string>,
    options?: { signal?: AbortSignal; background?: boolean },
  ): Promise<AnswerOf<E>>
  send(intent: AnyIntent, at: At, body: Record<string, unknown>, options: SendOptions): Promise<unknown>
  /** A write that is not an intent: runs, sign-out. */
  post(endpoint: AnyEndpoint, at: At, body: unknown, options?: { key?: string; command?: string }): Promise<unknown>
}

/** The body as a problem document, or null. */
export const asProblem = (body: unknown): Problem | null => {
  const parsed = Problem.safeParse(body)
  return parsed.success ? parsed.data : null
}
