import {
  joined,
  lacking,
  may,
  type Need,
  noPermission,
  type PermissionName,
  rightLacked,
  rightTo,
  type Verdict,
} from '#domain/permissions.ts'
import type { Problem } from '#contract/problem.ts'
import { changes, type Command, needsOf, needsTarget } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { Refusal } from '#kernel/api-client.ts'

/** `ask`: possible once a target is chosen. `locked`: the person lacks a permission. `off`: not possible now, with the reason. */
export type Availability =
  | { state: 'ready' | 'ask' }
  | { state: 'off'; sentence: string }
  | { state: 'locked'; sentence: string; lacks: readonly PermissionName[]; last: 'and' | 'or' }

/** The reason in one line, including the missing permission if there is one. */
export const reasonOf = (state: Extract<Availability, { sentence: string }>): string =>
  state.state === 'locked' ? `${state.sentence} It needs ${rightTo(state.lacks, state.last)}.` : state.sentence

export const notOffered = 'Not offered by this API'

/** Refusal of a call that is not sent, because the API does not support it or its narrowing parameters. */
export const notOfferedProblem: Problem = {
  type: 'about:blank',
  title: notOffered,
  status: 404,
  detail: notOffered,
  code: 'not-found',
}
/** Whether a call was not sent because the API does not support it. */
export const isNotOffered = (error: unknown): boolean => error instanceof Refusal && error.problem === notOfferedProblem

/** Why a person may not do or see what has this need, with the permissions they lack. Call it only for people without access. */
export const lockedTo = (held: ReadonlySet<number>, need: Need<unknown>, target?: unknown): string =>
  `${noPermission} It needs ${rightLacked(held, need, target)}.`

/** Each error is reported once: a predicate that throws must not break the palette. */
const reported = new Set<string>()
export const onBrokenPredicate: { report: (command: Command, error: unknown) => void } = {
  report: (command, error) => console.error(`The command ${command.id} could not say whether it is available.`, error),
}

/** What a need is checked against: the record or, for permission to read it, its noun. */
export const targetOf = (need: Need<unknown>, { on }: Command, target: unknown): unknown =>
  need.kind === 'as-entity' && on ? { entity: on.name } : target

/** Checks the permissions of all the command's intents for this target. */
export function guard(
  command: Command,
  held: ReadonlySet<number>,
  target?: unknown,
): { verdict: Verdict; lacks: PermissionName[]; last: 'and' | 'or' } {
  const needs = needsOf(command)
  const about = (need: Need<unknown>) => targetOf(need, command, target)
  const verdicts = needs.map((need) => may(held, need, about(need)))
  const verdict = verdicts.includes('no') ? 'no' : verdicts.includes('depends') ? 'depends' : 'yes'
  const denied = needs.filter((_, at) => verdicts[at] === 'no')
  return {
    verdict,
    lacks: [...new Set(denied.flatMap((need) => lacking(held, need, about(need))))],
    last: denied.every((need) => joined(need, about(need)) === 'or') ? 'or' : 'and',
  }
}

/** The permissions the person lacks to undo a command; empty if everybody who may run it may undo it. */
export const lacksForUndo = (command: Command, held: ReadonlySet<number>): PermissionName[] =>
  changes(command) ? command.does.flatMap(({ undoNeeds }) => (undoNeeds ? lacking(held, undoNeeds) : [])) : []

/** Whether a command can be run now and, if not, the reason. `target` is the single record it would run on. */
export function availability(command: Command, context: CommandContext, target?: unknown): Availability {
  const { verdict, lacks, last } = guard(command, context.held, target)
  if (verdict === 'no') return { state: 'locked', sentence: noPermission, lacks, last }
  // A record is read before a command runs on it.
  const reading = target === undefined ? command.on?.get.needs : undefined
  if (reading && may(context.held, reading) === 'no')
    return { state: 'locked', sentence: noPermission, lacks: lacking(context.held, reading), last: joined(reading) }
  const endpoints = changes(command) ? command.does.map((intent) => intent.endpoint) : 'reads' in command ? [command.reads] : []
  if (!endpoints.every((endpoint) => context.supports(endpoint))) return { state: 'off', sentence: notOffered }
  try {
    const own = command.unavailable?.because?.(context, target)
    if (own) return { state: 'off', sentence: own.sentence }
    if (needsTarget(command) && target === undefined) return { state: 'ask' }
    if (changes(command) && target !== undefined) {
      // The rule of an intent is about the record in its path; one that creates a record has none about the target.
      const intents = command.does.filter(({ endpoint }) => Object.keys(endpoint.params.shape).length > 0)
      const own = command.unavailable?.rule
      const rules = own ? [own] : intents.map((intent) => (one: unknown) => intent.refuses(one))
      for (const rule of rules) {
        const refusal = rule(target)
        if (refusal) return { state: 'off', sentence: refusal.sentence }
      }
    }
    return { state: 'ready' }
  } catch (error) {
    if (!reported.has(command.id)) {
      reported.add(command.id)
      onBrokenPredicate.report(command, error)
    }
    return { state: 'off', sentence: 'Unavailable: it could not be checked.' }
  }
}
