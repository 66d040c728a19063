import type { HistoryEvent } from '#contract/history.ts'
import type { Pane } from '#portal/list/pane.ts'

type Words = Pane['words']

type Changes = HistoryEvent['changes']

/** The actual changes of an event: new records also list their empty fields, which are left out. */
export const realChanges = (changes: Changes, { value }: Words): Changes =>
  changes.filter(
    ({ field, before, after }) =>
      JSON.stringify(before) !== JSON.stringify(after) && !(value(field, before) === 'none' && value(field, after) === 'none'),
  )

/** The changes of an event, one line per field: `Status: Active → Paused`. */
export const changesOf = ({ changes }: Pick<HistoryEvent, 'changes'>, words: Words): string[] =>
  realChanges(changes, words).map(
    ({ field: name, before, after }) => `${words.field(name)}: ${words.value(name, before)} → ${words.value(name, after)}`,
  )

/** The text and the changes of an event. */
export function EventDetails({ event, words }: { event: Pick<HistoryEvent, 'text' | 'changes'>; words: Words }) {
  return (
    <>
      {event.text && <p className="whitespace-pre-line">{event.text}</p>}
      {changesOf(event, words).map((change) => (
        <p key={change} className="text-muted">
          {change}
        </p>
      ))}
    </>
  )
}

/** The suffix for an event that was an undo. */
export const undoWords = ({ undo }: Pick<HistoryEvent, 'undo'>): string => (undo ? ' (undo)' : '')
