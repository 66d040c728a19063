import { type AnyIntent, atId, type Call } from '#contract/define.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'

/** The requests of a command for one target: its own plan, else its one intent on the target with the parameters. */
export function planOf(command: Command, target: unknown, params: Record<string, unknown>, facts?: unknown): readonly Step[] {
  if (!changes(command)) return []
  if (command.plan) return command.plan(target, params, facts)
  const [intent] = command.does
  if (!intent || command.does.length > 1) throw new Error(`The command ${command.id} needs a plan.`)
  const { on } = command
  if (!on) {
    // What is made from nothing has no id in its path and no version.
    if (Object.keys(intent.endpoint.params.shape).length) throw new Error(`The command ${command.id} needs a plan.`)
    return [intent({}, params)]
  }
  const expected = facts === undefined ? undefined : command.expects?.(target, facts)
  const seen = expected ? { ...params, expected } : params
  const body = 'version' in intent.body.shape ? { ...seen, version: on.version(target) } : seen
  return [call(intent, on.id(target), body)]
}

/** A call of an intent whose path has one parameter, whatever its name. */
export const call = (intent: AnyIntent, id: string, body: Record<string, unknown>): Call =>
  intent(atId(intent.endpoint, id), body)

/** What a step was answered, by the intent that it called. */
export const answerTo = <Answer>(_: (at: never, body: never) => Call<Answer>, answer: unknown): Answer => answer as Answer

/** The steps that undo an intent in one row, by the intent's own rule; null where this time nothing does. */
export function undoing(
  intent: AnyIntent,
  { id, version }: { id: string | number; version: number },
  before: unknown,
): readonly Step[] | null {
  const call = intent.undo?.({ id: String(id), version }, before)
  return call ? [call] : null
}

/** A step's call, once the answers before it are there. */
export const callOf = (step: Step, answers: readonly unknown[]): Call =>
  typeof step === 'function' && !('intent' in step) ? step(answers) : (step as Call)

/** A step's call; throws for an intent that the command did not declare. */
export function resolve(command: Command, step: Step, answers: readonly unknown[]): Call {
  const call = callOf(step, answers)
  if (!changes(command) || !command.does.includes(call.intent))
    throw new Error(`The command ${command.id} did not declare ${call.intent.id}.`)
  return call
}
