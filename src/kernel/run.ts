import type { Call } from '#contract/define.ts'
import type { Problem } from '#contract/problem.ts'
import { changes, type Command, failureOf, type Step } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { type Interruption, interruptionText, type Sent } from '#kernel/interruption.ts'
import { callOf, planOf, resolve } from '#kernel/plan.ts'
import { type FormKeys, GaveUp, type Sending, sendOnce, SessionOver } from '#kernel/send.ts'
import { Refusal } from '#kernel/api-client.ts'

/** Outcome of a command on one target. */
export type Outcome =
  | { kind: 'done'; sentence: string; before: unknown; after: unknown; answers: readonly unknown[] }
  | { kind: 'refused'; sentence: string; detail: string | null; problem: Problem; interruption?: Interruption; sent?: Sent }
  | { kind: 'failed'; sentence: string; detail: string | null }

/** Reads the target again after its change, if no answer of the plan is the record itself. */
export type Reread = (target: unknown) => Promise<unknown>

/** Message of a refusal: its code has its own sentence; an unexpected one gets the catalogue's, with the server's text below. */
export function refusalOf(command: Command, target: unknown, problem: Problem): Outcome & { kind: 'refused' } {
  const catalogue = failureOf(command, target)
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
  const sends = record !== undefined && changes(command) && command.preview?.submitLabel?.(record, params)
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
  const sentence = (after: unknown) => command.done.message(target, params, after, more.facts)
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
  const { failed: partialFailure, label } = (changes(command) && !about.undoneBy && command.plan) || {}
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
        const interruption = error.unsure ? 'asked-again' : answers.length > 0 ? 'in-part' : 'not-sent'
        const sent = interruption === 'in-part' ? { sent: { calls: index, of: steps.length } } : {}
        const text = interruptionText(interruption, sent)
        return { kind: 'refused', ...text, problem: error.problem, interruption, ...sent }
      }
      if (error instanceof Refusal) {
        if (error.problem.status !== 401) about.keys?.refused(index, call)
        if (partialFailure && error.problem.status !== 401) {
          failed.push({ what: label?.(call.body) ?? index + 1, problem: error.problem })
          continue
        }
        return refusalOf(command, target, inForm(command, call, error.problem))
      }
      const detail = error instanceof GaveUp ? error.detail : error instanceof Error ? error.message : String(error)
      return { kind: 'failed', sentence: failureOf(command, target), detail }
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
  const fieldOf = changes(command) ? command.plan?.fieldOf : undefined
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
