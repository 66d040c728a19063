import type { AnyIntent, Call } from '#contract/define.ts'
import { changes, type Command, type Step } from '#kernel/command.ts'

/** The requests of a command for one target: its own plan, else its one intent on the target with the parameters. */
export function planOf(command: Command, target: unknown, params: Record<string, unknown>): readonly Step[] {
  if (!changes(command)) return []
  if (command.plan) return command.plan(target, params)
  const [intent] = command.does
  if (!intent || !command.on) throw new Error(`The command ${command.id} needs a plan.`)
  const id = command.on.id(target)
  const body = 'version' in intent.body.shape ? { ...params, version: command.on.version(target) } : params
  return [call(intent, id, body)]
}

/** A call of an intent whose path has one parameter, whatever its name. */
export function call(intent: AnyIntent, id: string, body: Record<string, unknown>): Call {
  const [name] = Object.keys(intent.endpoint.params.shape)
  return intent(name ? { [name]: id } : {}, body)
}

/** A step's call, once the answers before it are there; refuses what the command did not declare. */
export function resolve(command: Command, step: Step, answers: readonly unknown[], extra: readonly AnyIntent[] = []): Call {
  const resolved = typeof step === 'function' && !('intent' in step) ? step(answers) : (step as Call)
  const allowed = changes(command) ? [...command.does, ...extra] : extra
  if (!allowed.includes(resolved.intent)) throw new Error(`The command ${command.id} did not declare ${resolved.intent.id}.`)
  return resolved
}
