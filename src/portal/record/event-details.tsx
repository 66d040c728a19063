import type { HistoryEvent } from '#contract/history.ts'
import type { Pane } from '#portal/list/pane.ts'

type Words = Pane['words']

/** What an event changed, one line a field: `Status: Active → Paused`. */
export const changesOf = ({ changes }: Pick<HistoryEvent, 'changes'>, { field, value }: Words): string[] =>
  changes.map(({ field: name, before, after }) => `${field(name)}: ${value(name, before)} → ${value(name, after)}`)

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
