import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Note } from '#contract/notes.ts'
import { characterOf } from '#kernel/keys.ts'
import { store } from '#portal/platform/store.ts'
import { startCommand } from '#portal/commands/start.ts'
import { asideAtom, oneTarget } from '#portal/list/target.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

const targetOf = ({ id }: Note) => oneTarget('note', String(id))

/** Number of notes that a key moves by. */
function stepOf(event: KeyboardEvent): number {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey) return 0
  const letter = store.get(lettersAtom) ? characterOf(event) : ''
  if (key === 'ArrowDown' || letter === 'j') return 1
  return key === 'ArrowUp' || letter === 'k' ? -1 : 0
}

/** Notes, newest first. The focused one is the target of commands. */
export function NoteList({ notes, leave }: { notes: readonly Note[]; leave: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const at = useRef<{ id: number; index: number } | null>(null)

  // When the focused note is deleted, the focus goes to the one in its place, else to the field below.
  useEffect(() => {
    const last = at.current
    if (!last || notes.some(({ id }) => id === last.id)) return
    at.current = null
    store.set(asideAtom, null)
    if (document.activeElement !== document.body) return
    const all = box.current?.querySelectorAll<HTMLElement>('article')
    const next = all?.[Math.min(last.index, all.length - 1)]
    if (next) next.focus()
    else leave()
  }, [notes, leave])
  useEffect(() => () => store.set(asideAtom, null), [])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = stepOf(event)
    const from = event.currentTarget
    if (step === 0) return
    const all = [...(box.current?.querySelectorAll<HTMLElement>('article') ?? [])]
    all[all.indexOf(from) + step]?.focus()
    event.preventDefault()
  }

  return (
    // An empty feed must not have the role (ARIA).
    <div ref={box} {...(notes.length > 0 && { role: 'feed', 'aria-label': 'Notes' })} className="drawer-notes">
      {notes.map((note, index) => (
        <article
          key={note.id}
          data-row
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an article of a feed is focusable (ARIA: feed)
          tabIndex={0}
          aria-posinset={index + 1}
          aria-setsize={notes.length}
          aria-label={`Note by ${note.user.name}, ${dateAndTime(note.created_at)}`}
          onKeyDown={onKeyDown}
          onFocus={() => {
            at.current = { id: note.id, index }
            store.set(asideAtom, targetOf(note))
          }}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) store.set(asideAtom, null)
          }}
        >
          <p className="drawer-by">
            <b dir="auto">{note.own ? 'You' : note.user.name}</b>
            <time dateTime={note.created_at}>{dateAndTime(note.created_at)}</time>
            {note.own && (
              <button
                type="button"
                className="btn btn-quiet"
                aria-keyshortcuts="Backspace"
                aria-label="Delete note"
                onClick={() => startCommand('note.delete', { targets: targetOf(note) })}
              >
                Delete <Kbd chord="Backspace" />
              </button>
            )}
          </p>
          <p className="drawer-text" dir="auto">
            {note.text}
          </p>
        </article>
      ))}
    </div>
  )
}
