import { type AnyIntent, atId, type Call } from '#contract/define.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'

/** The requests of a command for one target: its own plan, else one call of its intent on the target with the parameters. */
export function planOf(command: Command, target: unknown, params: Record<string, unknown>, facts?: unknown): readonly Step[] {
  if (!changes(command)) return []
  if (command.plan) return command.plan.calls(target, params, facts)
  const [intent] = command.does
  if (!intent || command.does.length > 1) throw new Error(`The command ${command.id} needs a plan.`)
  const { on } = command
  if (!on) {
    // A create has no id in its path and no version.
    if (Object.keys(intent.endpoint.params.shape).length) throw new Error(`The command ${command.id} needs a plan.`)
    return [intent({}, params)]
  }
  const expected = facts === undefined ? undefined : command.facts?.expects?.(target, facts)
  const seen = expected ? { ...params, expected } : params
  const body = 'version' in intent.body.shape ? { ...seen, version: on.version(target) } : seen
  return [call(intent, on.id(target), body)]
}

/** A call of an intent with one path parameter, whatever its name. */
export const call = (intent: AnyIntent, id: string, body: Record<string, unknown>): Call =>
  intent(atId(intent.endpoint, id), body)

/** The answer of a step, typed by the intent it called. */
export const answerTo = <Answer>(_: (at: never, body: never) => Call<Answer>, answer: unknown): Answer => answer as Answer

/** The steps that undo an intent in one row, by the intent's own rule; null if it cannot be undone. */
export function undoing(
  intent: AnyIntent,
  { id, version }: { id: string | number; version: number },
  before: unknown,
): readonly Step[] | null {
  const call = intent.undo?.({ id: String(id), version }, before)
  return call ? [call] : null
}

/** The call of a step, given the answers before it. */
export const callOf = (step: Step, answers: readonly unknown[]): Call =>
  typeof step === 'function' && !('intent' in step) ? step(answers) : (step as Call)

/** The call of a step; throws for an intent that the command does not declare. */
export function resolve(command: Command, step: Step, answers: readonly unknown[]): Call {
  const call = callOf(step, answers)
  if (!changes(command) || !command.does.includes(call.intent))
    throw new Error(`The command ${command.id} did not declare ${call.intent.id}.`)
  return call
}
