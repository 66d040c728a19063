import type { Call } from '#contract/define.ts'
import type { Problem } from '#contract/problem.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { callOf, planOf, resolve } from '#kernel/plan.ts'
import { type FormKeys, GaveUp, type Sending, sendOnce, SessionOver } from '#kernel/send.ts'
import { Refusal } from '#kernel/api-client.ts'

/**
 * How a change ended whose session expired (D533): nothing or a part of it was done, or it is unknown because an earlier
 * attempt had no answer. Then it is sent again after the next sign-in if its key outlives the session.
 */
export type Over = 'not-sent' | 'in-part' | 'asked-again' | 'unsure'

/** Its messages. */
export const overWords: Record<Over, { sentence: string; detail: string }> = {
  'not-sent': { sentence: 'Not sent: your session had ended.', detail: 'Look at it, then send it again.' },
  'in-part': { sentence: 'Sent in part: your session had ended.', detail: 'Look at what was done before you send the rest.' },
  'asked-again': {
    sentence: 'Not confirmed: your session ended before there was an answer.',
    detail: 'It may have gone through. It is sent again once you have signed in, and applied once.',
  },
  unsure: {
    sentence: 'Not confirmed: your session ended before there was an answer.',
    detail: 'It may have gone through. Look at it before you do it again.',
  },
}

/** How many calls of a plan were answered before the session expired. */
export interface Sent {
  calls: number
  of: number
}

/** The message, including how much of a plan was sent. */
export function overSays(over: Over, sent?: Sent): { sentence: string; detail: string } {
  const { sentence, detail } = overWords[over]
  return { sentence, detail: sent ? `The first ${sent.calls} of ${sent.of} were sent. ${detail}` : detail }
}

/** Outcome of a command on one target. */
export type Outcome =
  | { kind: 'done'; sentence: string; before: unknown; after: unknown; answers: readonly unknown[] }
  | { kind: 'refused'; sentence: string; detail: string | null; problem: Problem; over?: Over; sent?: Sent }
  | { kind: 'failed'; sentence: string; detail: string | null }

/** Reads the target again after its change, if no answer of the plan is the record itself. */
export type Reread = (target: unknown) => Promise<unknown>

/** Message of a refusal: its code has its own sentence; an unexpected one gets the catalogue's, with the server's text below. */
export function refusalOf(command: Command, target: unknown, problem: Problem): Outcome & { kind: 'refused' } {
  const catalogue = changes(command) ? command.failed(target) : 'Something went wrong'
  const unexpected = problem.code === 'internal-error' || problem.code === 'unavailable' || problem.code === 'malformed-request'
  return unexpected
    ? { kind: 'refused', sentence: catalogue, detail: problem.detail ?? null, problem }
    : { kind: 'refused', sentence: problem.detail ?? catalogue, detail: null, problem }
}

/** 'Pause employee, Benjamin Ortiz', for the confirmation line; without the record if it is unknown. */
export const titleOf = (title: string, on: AnyEntity | undefined, record: unknown): string =>
  on && record !== undefined ? `${title}, ${on.title(record)}` : title

/** Title of a command's request, in its own words if it has some: 'Add repayment, $50.00, Harbor Works 1'. */
export function titleSent(command: Command, record: unknown, params: Record<string, unknown>): string {
  const sends = record !== undefined && changes(command) && command.submitLabel?.(record, params)
  return sends ? `${command.title}, ${sends}` : titleOf(command.title, command.on, record)
}

/** Runs a command's plan on one target. Never throws for an API error; the outcome contains it. */
export async function runOne(
  command: Command,
  target: unknown,
  params: Record<string, unknown>,
  io: Sending & { reread: Reread },
  more: { keys?: FormKeys; facts?: unknown } = {},
): Promise<Outcome> {
  if (!changes(command)) throw new Error(`The command ${command.id} changes nothing.`)
  const title = titleSent(command, target, params)
  const sentence = (after: unknown) => command.done(target, params, after, more.facts)
  const about = { title, sentence, ...(more.keys ? { keys: more.keys } : {}) }
  return runSteps(command, planOf(command, target, params, more.facts), target, about, io)
}

/** What the steps belong to. */
export interface StepsAbout {
  title: string
  sentence: (after: unknown) => string
  keys?: FormKeys
  /** Id of the undone command: undo steps may call intents that the command did not declare. */
  undoneBy?: string
}

/** Runs steps in order; a later one may depend on an earlier answer. Also used for undo. */
export async function runSteps(
  command: Command,
  steps: readonly Step[],
  target: unknown,
  about: StepsAbout,
  io: Sending & { reread: Reread },
): Promise<Outcome> {
  const answers: unknown[] = []
  const record = command.on ? { entity: command.on.name, id: command.on.id(target) } : null
  const { partialFailure, stepLabel } = changes(command) && !about.undoneBy ? command : {}
  const failed: { what: string | number; problem: Problem }[] = []
  for (const [index, step] of steps.entries()) {
    const call = about.undoneBy ? callOf(step, answers) : resolve(command, step, answers)
    const key = about.keys?.of(index, call)
    try {
      answers.push(
        await sendOnce(
          call,
          { command: about.undoneBy ?? command.id, title: about.title, target: record, ...(key ? { key } : {}) },
          io,
        ),
      )
    } catch (error) {
      if (error instanceof SessionOver) {
        const over = error.unsure ? 'asked-again' : answers.length > 0 ? 'in-part' : 'not-sent'
        const sent = over === 'in-part' ? { calls: index, of: steps.length } : undefined
        return { kind: 'refused', ...overSays(over, sent), problem: error.problem, over, ...(sent ? { sent } : {}) }
      }
      if (error instanceof Refusal) {
        if (error.problem.status !== 401) about.keys?.refused(index, call)
        if (partialFailure && error.problem.status !== 401) {
          failed.push({ what: stepLabel?.(call.body) ?? index + 1, problem: error.problem })
          continue
        }
        return refusalOf(command, target, inForm(command, call, error.problem))
      }
      const detail = error instanceof GaveUp ? error.detail : error instanceof Error ? error.message : String(error)
      return { kind: 'failed', sentence: changes(command) ? command.failed(target) : 'Something went wrong', detail }
    }
  }
  const [first] = failed
  if (partialFailure && first) {
    const detail = failed.map(({ what, problem }) => `${what}: ${problem.detail ?? problem.title}`).join(' ')
    const { errors: _, ...problem } = first.problem
    return { kind: 'refused', sentence: partialFailure(failed.length, steps.length), detail, problem }
  }
  const after = await afterwards(command, target, answers, io.reread)
  return { kind: 'done', sentence: about.sentence(after), before: target, after, answers }
}

/** Moves the messages of a refusal to the fields of the form, if the plan renames them. */
function inForm(command: Command, { body }: Call, problem: Problem): Problem {
  const fieldOf = changes(command) ? command.fieldOf : undefined
  if (!fieldOf || !problem.errors) return problem
  return { ...problem, errors: problem.errors.map((each) => ({ ...each, path: fieldOf(each.path, body) })) }
}

async function afterwards(command: Command, target: unknown, answers: readonly unknown[], reread: Reread): Promise<unknown> {
  if (!command.on) return answers.at(-1)
  const id = command.on.id(target)
  for (const answer of [...answers].reverse()) {
    const parsed = command.on.schema.safeParse(answer)
    if (parsed.success && command.on.id(parsed.data) === id && covers(answer, target)) return parsed.data
  }
  try {
    return await reread(target)
  } catch {
    // The change is done; only the row is stale, and the next refresh updates it.
    return target
  }
}

/** An answer may replace a row only if it has every property of the row: optional parts come with `include`. */
const covers = (answer: unknown, target: unknown): boolean =>
  Object.entries(target as object).every(
    ([name, value]) => value === undefined || (answer as Record<string, unknown>)[name] !== undefined,
  )
