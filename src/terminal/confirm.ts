import type { Flags } from '#terminal/invocation.ts'
import { Stop } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

/** A number may be typed with or without its thousands separators. */
const plain = (word: string): string => word.trim().replace(/(?<=\d),(?=\d{3})/g, '')

/**
 * Asks for the word or the count that confirms, unless the option gives it. Stops at another one, or if there is nobody to ask:
 * nothing is confirmed silently.
 */
export async function confirmBy(word: string, { confirm }: Pick<Flags, 'confirm'>, streams: Streams): Promise<void> {
  const option = `--confirm ${/\W/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word}`
  if (confirm === undefined && !streams.isInteractive)
    throw new Stop('usage', 'Not sent: it was not confirmed.', `To send it: ${option}`)
  const typed = confirm ?? (await streams.ask(`Type ${word} to confirm: `))
  if (plain(typed) !== plain(word))
    throw new Stop('usage', `Not sent: ${typed || 'nothing'} was typed instead of ${word}.`, `To send it: ${option}`)
}
