import { type Problem, oneOfPermissions } from '#contract/problem.ts'
import { detailOf, isSessionOver, lackedIn, Refusal, Unanswered } from '#kernel/api-client.ts'
import type { Availability } from '#kernel/availability.ts'
import { reasonOf } from '#kernel/availability.ts'
import type { Outcome } from '#kernel/run.ts'
import { GaveUp } from '#kernel/send.ts'

/** Exit codes of the terminal (docs/rules/terminal.md). */
export const exits = {
  done: 0,
  refused: 1,
  usage: 2,
  signedOut: 3,
  locked: 4,
  unreachable: 5,
  unknown: 6,
  inPart: 7,
  ofScreen: 8,
  interrupted: 130,
} as const
export type Exit = keyof typeof exits

/** Ends the program with a sentence and an exit code; `code` is the API's code of a refusal. */
export class Stop extends Error {
  readonly exit: Exit
  readonly detail: string | null
  readonly code: string | null
  constructor(exit: Exit, sentence: string, detail: string | null = null, code: string | null = null) {
    super(sentence)
    this.exit = exit
    this.detail = detail
    this.code = code
  }
}

/** How to sign in, below the reason why that is needed. */
export const howToSignIn = 'Sign in with: npm run portal -- sign-in'

/** The exit code of a refusal. */
function exitOf(problem: Problem): Exit {
  if (isSessionOver(problem)) return 'signedOut'
  if (problem.status === 403) return 'locked'
  return problem.code === 'validation-failed' ? 'usage' : 'refused'
}

/** Why an error ends the program; `otherwise` is the sentence for a server that does not answer. */
export function stopBy(error: unknown, otherwise = 'The server did not answer.'): Stop {
  if (error instanceof Stop) return error
  if (error instanceof Refusal) {
    const { problem } = error
    const exit = exitOf(problem)
    const lacks = lackedIn(problem)
    const fields = (problem.errors ?? []).filter(({ path }) => !['permission', oneOfPermissions].includes(path))
    const detail =
      exit === 'signedOut'
        ? howToSignIn
        : lacks
          ? `It needs ${lacks}.`
          : fields.map(({ path, message }) => `${path}: ${message}`).join('\n') || null
    return new Stop(exit, error.message, detail, problem.code)
  }
  if (error instanceof GaveUp) return new Stop('unknown', otherwise, error.detail)
  if (error instanceof Unanswered) return new Stop('unreachable', otherwise, detailOf(error) ?? 'Try again.')
  throw error
}

/** Why a command cannot be run now. */
export const stopByState = (state: Extract<Availability, { sentence: string }>): Stop =>
  new Stop(state.state === 'locked' ? 'locked' : 'refused', reasonOf(state))

/** The exit code of the outcome of a change. */
export function exitOfOutcome(outcome: Outcome): Exit {
  if (outcome.kind === 'done') return 'done'
  if (outcome.kind === 'failed') return 'unknown'
  if (outcome.interruption) return outcome.interruption === 'not-sent' ? 'signedOut' : 'unknown'
  return exitOf(outcome.problem)
}
