import { rightTo } from '#domain/permissions.ts'
import { fewOf, wholeNumber } from '#domain/text.ts'
import { lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import { pluralize } from '#kernel/pluralize.ts'

/** Whether a person with these permissions can undo the change, as a sentence for a form. */
export function undoSentence(command: Command, can: boolean, held: ReadonlySet<number>): string {
  if (!can) return 'This cannot be undone.'
  const lacks = lacksForUndo(command, held)
  if (lacks.length) return `To undo this you need ${rightTo(lacks)}.`
  const means = changes(command) && command.undo?.note
  return ['Can be undone for 10 minutes.', means].filter(Boolean).join(' ')
}

/** The warning to read before going on. */
export const warningOf = (command: Command, target: unknown): string | null =>
  changes(command) ? (command.preview?.warning?.(target) ?? null) : null

/** The warnings for several records: once if all are equal, else each with the title of its record. */
export function warningsOf(command: Command, targets: readonly unknown[]): string | null {
  const warned = targets.flatMap((target) => {
    const warning = warningOf(command, target)
    return warning ? [{ warning, named: `${command.on?.title(target)}: ${warning}` }] : []
  })
  const [first] = warned
  if (!first) return null
  const isOne = warned.length === targets.length && warned.every(({ warning }) => warning === first.warning)
  return isOne ? first.warning : fewOf(warned.map(({ named }) => named))
}

/** The title of a command without its noun: 'Pause', 'Cancel password change'. */
const verbOf = ({ title, on }: Command): string => (on ? title.replace(new RegExp(` (of )?${on.one}`), '') : title)

/** 'Pause undone for 2 employees', 'Pause undone for 21 of 23 employees'. */
export const undoneSentence = (command: Command, count: number, of = count): string =>
  `${verbOf(command)} undone for ${of === count ? '' : `${wholeNumber(count)} of `}${pluralize(of, command.on)}`

/** 'Pause undone for Benjamin Ortiz'; without a title only the command. */
export const undoneFor = (command: Command, title: string | undefined): string =>
  title === undefined ? `${command.title} undone` : `${verbOf(command)} undone for ${title}`
