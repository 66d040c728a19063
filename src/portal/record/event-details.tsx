import type { HistoryEvent } from '#contract/history.ts'
import type { Pane } from '#portal/list/pane.ts'

type Words = Pane['words']

type Changes = HistoryEvent['changes']

/** The changes of an event that are any: what somebody new has none of is noted, too. */
export const realChanges = (changes: Changes, { value }: Words): Changes =>
  changes.filter(
    ({ field, before, after }) =>
      JSON.stringify(before) !== JSON.stringify(after) && !(value(field, before) === 'none' && value(field, after) === 'none'),
  )

/** What an event changed, one line a field: `Status: Active → Paused`. */
export const changesOf = ({ changes }: Pick<HistoryEvent, 'changes'>, words: Words): string[] =>
  realChanges(changes, words).map(
    ({ field: name, before, after }) => `${words.field(name)}: ${words.value(name, before)} → ${words.value(name, after)}`,
  )

/** What a person wrote of an event, and what it changed. */
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

/** Behind the words for an event, that it took back what was done before. */
export const undoWords = ({ undo }: Pick<HistoryEvent, 'undo'>): string => (undo ? ' (undo)' : '')
