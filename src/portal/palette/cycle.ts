import type { CommandContext } from '#kernel/command-context.ts'
import { typePalette } from '#portal/commands/palette-state.ts'
import { announce } from '#portal/platform/toasts.ts'
import { completionsFor } from '#portal/palette/complete-value.ts'
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

function show(next: Cycle): true {
  cycle = next
  const text = next.texts[next.at] ?? ''
  typePalette(text)
  announce(next.texts.length > 1 ? `${text}, ${next.at + 1} of ${next.texts.length}` : text)
  return true
}

/** Whether a row is read from a sentence: it has values, or its command was typed with a space behind it. */
const isSentence = (row: Row | undefined, typed: string): row is CommandRow =>
  row?.kind === 'command' && (row.spoken !== undefined || (row.usable && row.state.state === 'ready' && /\S\s+$/.test(typed)))

interface Completed {
  rows: readonly Row[]
  /** The highlighted row; without one the first sentence is completed. */
  active: number
  typed: string
  context: CommandContext
}

/**
 * Puts the next or previous completion of a sentence into the field; false if there is none. A value that is the only one is done:
 * the next Tab completes the one after it.
 */
export function completeBy(step: 1 | -1, { rows, active, typed, context }: Completed): boolean {
  const going = current(typed)
  if (going && going.texts.length > 1) {
    const { length } = going.texts
    return show({ ...going, at: (going.at + step + length) % length })
  }
  const row = rows[active] ?? rows.find((each) => isSentence(each, typed))
  const texts = isSentence(row, typed) ? completionsFor(row, typed, context) : []
  return texts.length > 0 && show({ typed: going?.typed ?? typed, texts, at: step === 1 ? 0 : texts.length - 1 })
}

/** Restores what was typed before Tab; false if Tab completed nothing since. */
export function takeBack(typed: string): boolean {
  const going = current(typed)
  cycle = null
  if (going) typePalette(going.typed)
  return going !== null
}
