import type { CommandContext } from '#kernel/command-context.ts'
import { typePalette } from '#portal/commands/palette-state.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { announce } from '#portal/platform/toasts.ts'
import type { CommandRow, Row } from '#portal/palette/row.ts'

/** The completions of a sentence that Tab goes through, and what was typed before. */
interface Cycle {
  typed: string
  texts: readonly string[]
  at: number
}

let cycle: Cycle | null = null

/** The cycle whose text is in the field; null once something else was typed. */
const current = (typed: string): Cycle | null => (cycle && cycle.texts[cycle.at] === typed ? cycle : null)

/** Loads what completes values: it is first needed by a Tab. */
export const fetchCompleter = () => import('#portal/palette/complete-value.ts')

function show(next: Cycle): void {
  cycle = next
  const text = next.texts[next.at] ?? ''
  typePalette(text)
  announce(next.texts.length > 1 ? `${text}, ${next.at + 1} of ${next.texts.length}` : text)
}

/** Whether Tab completes the sentence of a row: it has values, or its command was typed in full with a space behind it. */
export const isCompletable = (row: Row | undefined, typed: string): row is CommandRow =>
  row?.kind === 'command' && (row.spoken !== undefined || (row.usable && row.state.state === 'ready' && /\S\s+$/.test(typed)))

/**
 * Puts the next or previous completion of a row's sentence into the field; `otherwise` is called if there is none. A value that is
 * the only one is done: the next Tab completes the one after it.
 */
export function completeBy(step: 1 | -1, row: CommandRow, typed: string, context: CommandContext, otherwise: () => void): void {
  const going = current(typed)
  if (going && going.texts.length > 1) {
    const { length } = going.texts
    show({ ...going, at: (going.at + step + length) % length })
    return
  }
  const complete = async () => {
    const { completionsFor } = await fetchCompleter()
    const texts = completionsFor(row, typed, context)
    if (texts.length) show({ typed: going?.typed ?? typed, texts, at: step === 1 ? 0 : texts.length - 1 })
    else if (step === 1) otherwise()
  }
  void blockKeysWhile(complete())
}

/** Restores what was typed before Tab; false if Tab completed nothing since. */
export function takeBack(typed: string): boolean {
  const going = current(typed)
  cycle = null
  if (going) typePalette(going.typed)
  return going !== null
}
