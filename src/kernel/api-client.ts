import type { AnswerOf, AnyEndpoint, AnyIntent, At } from '#contract/define.ts'
import { oneOfPermissions, Problem } from '#contract/problem.ts'
import { isPermissionName, rightTo } from '#domain/permissions.ts'

/** A definite refusal: the API understood and said no. */
export class Refusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

/** Nobody knows whether it went through: no answer came, or the server failed on the way. */
export class Unanswered extends Error {
  /** The server's own words, where it had any. */
  readonly detail: string | null
  /** True when the server did answer, with a failure of its own (5xx). */
  readonly answered: boolean
  constructor(detail: string | null = null, answered = false) {
    super(detail ?? 'No answer')
    this.detail = detail
    this.answered = answered
  }
}

/** Whether it was refused because nobody is signed in any more; the application key that is over is another matter. */
export const isSessionOver = ({ status, code }: Problem): boolean => status === 401 && code !== 'application-key-invalid'

/** The server's own words on what went wrong; null where it had none. */
export const detailOf = (error: unknown): string | null =>
  error instanceof Refusal ? (error.problem.detail ?? null) : error instanceof Unanswered ? error.detail : null

/** The right that a refusal names as missing, in words; null where it was refused for another reason. */
export function lackedIn({ code, errors = [] }: Problem): string | null {
  if (code !== 'permission-denied') return null
  const names = errors.map(({ message }) => message).filter(isPermissionName)
  return names.length > 0 ? rightTo(names, errors.some(({ path }) => path === oneOfPermissions) ? 'or' : 'and') : null
}

export interface SendOptions {
  key: string
  /** Id of the command, as claimed to the audit. */
  command: string
  signal?: AbortSignal
}

/** The one way out: the portal's is made of ky, a test's talks to a real server. Throws `Refusal` or `Unanswered`. */
export interface ApiClient {
  read<E extends AnyEndpoint>(
    endpoint: E,
    at: At,
    query?: Record<string, string>,
    options?: { signal?: AbortSignal; background?: boolean },
  ): Promise<AnswerOf<E>>
  send(intent: AnyIntent, at: At, body: Record<string, unknown>, options: SendOptions): Promise<unknown>
  /** A plain write that is no intent: runs, sign-out. */
  post(endpoint: AnyEndpoint, at: At, body: unknown, options?: { key?: string; command?: string }): Promise<unknown>
}

/** A body that is a problem document, or null. */
export const asProblem = (body: unknown): Problem | null => {
  const parsed = Problem.safeParse(body)
  return parsed.success ? parsed.data : null
}
