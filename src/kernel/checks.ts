import { atId } from '#contract/define.ts'
import { changes, type Command, type Read } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/**
 * Runs the check that an intent requires before it (`checkedBy`); returns the sentence of a refusal, or null. Throws if there is
 * no answer.
 */
export async function checkBefore(command: Command, target: unknown, read: Read): Promise<string | null> {
  if (!changes(command) || !command.on) return null
  for (const { checkedBy } of command.does) {
    if (!checkedBy) continue
    const { endpoint } = checkedBy
    const refusal = checkedBy.refuses((await read(endpoint, atId(endpoint, command.on.id(target)))) as never)
    if (refusal) return refusal.sentence
  }
  return null
}

/** Why an undo would be refused afterwards, as far as known now; null if it would not, or if unknown. */
export async function undoRefusal(
  command: Command,
  target: unknown,
  read: Read,
  supports: CommandContext['supports'],
): Promise<string | null> {
  if (!changes(command) || !command.on || !command.undo?.steps) return null
  const [id, version] = [command.on.id(target), command.on.version(target)]
  for (const intent of command.does) {
    const call = intent.undo?.({ id, version }, target)
    if (call === null) return intent.noUndo ?? 'This cannot be undone.'
    const asked = call?.intent.checkedBy
    if (!asked?.afterwards || !supports(asked.endpoint)) continue
    const { endpoint } = asked
    const answer = await read(endpoint, atId(endpoint, id)).catch(() => null)
    const refusal = answer && asked.afterwards(answer as never, target as never)
    if (refusal) return refusal.sentence
  }
  return null
}
