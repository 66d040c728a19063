import '#portal/palette/palette.css'
import { memo } from 'react'
import { ariaChord } from '#kernel/keys.ts'
import type { MarkedText } from '#portal/palette/mark-letters.ts'
import type { Row } from '#portal/palette/row.ts'
import { keyWorks } from '#portal/keyboard/letters.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

interface Props {
  /** The props of the slot, which include those that cmdk passes to its item. */
  of: { group: number; index: number }
  shown: boolean
  /** Stable while rows change: identifies the position in the list, not the record. */
  slot: string
  position: number
  count: number
  /** The row in this slot; the previous one while the slot is empty. */
  row: Row | null
}

/** Whether two states of a slot look the same. A row is a new object for each text. */
function isSame(before: Props, now: Props): boolean {
  const [a, b] = [before.row, now.row]
  if (before.of !== now.of || before.shown !== now.shown) return false
  if (now.shown && (before.position !== now.position || before.count !== now.count)) return false
  if (a === b || !a || !b) return a === b
  return (
    a.title === b.title &&
    a.note === b.note &&
    a.found === b.found &&
    a.icon === b.icon &&
    a.usable === b.usable &&
    chordOf(a) === chordOf(b)
  )
}

/** Memoized, so that only a changed icon renders. */
const RowIcon = memo(Icon)
const Chord = memo(Kbd)

/** The id of the element of a slot. */
export const optionId = (slot: string): string => `palette-${slot}`

const chordOf = ({ chord }: Row): string | null => (chord && keyWorks(chord) ? chord : null)

/** One row: icon, title, reason or alias, key. Memoized: renders only if it looks different. */
export const ResultRow = memo(function ResultRow({ of, shown, slot, position, count, row }: Props) {
  const { group, index, ...item } = of
  const id = optionId(slot)
  const chord = row ? chordOf(row) : null
  return (
    <div
      {...item}
      {...(shown && row
        ? {
            id,
            'data-position': position,
            'aria-posinset': position + 1,
            'aria-setsize': count,
            'aria-disabled': row.usable ? undefined : true,
            'aria-describedby': row.note && !row.usable ? `${id}-note` : undefined,
            'aria-keyshortcuts': chord ? ariaChord(chord, mac) : undefined,
          }
        : { id: undefined, role: undefined, 'aria-selected': undefined, 'aria-disabled': undefined, hidden: true })}
      className={`palette-row ${chord ? 'palette-row-keyed' : isSpoken(row) ? 'palette-row-spoken' : ''}`}
    >
      {row && (
        <Content
          id={id}
          icon={row.icon}
          title={row.title}
          note={row.note}
          found={row.found}
          usable={row.usable}
          chord={chord}
          parts={partsOf(row).join('\n')}
        />
      )}
    </div>
  )
}, isSame)

type ContentProps = Pick<Row, 'icon' | 'title' | 'note' | 'found' | 'usable'> & {
  id: string
  chord: string | null
  /** The values at the beginning of the note, one per line, which keeps the props comparable. */
  parts: string
}

/** The values with which the note of a row begins: those of a sentence, or the answer to a question. */
const partsOf = (row: Row): readonly string[] =>
  row.kind === 'record' ? (row.answer ? [row.answer] : []) : (row.kind === 'command' && row.spoken?.parts) || []

const isSpoken = (row: Row | null): boolean => row !== null && partsOf(row).length > 0

/** The content of a row, memoized. */
const Content = memo(function Content({ id, icon, title, note, found, usable, chord, parts }: ContentProps) {
  const chips = parts ? parts.split('\n') : []
  const isLast = !usable || chips.length > 0
  const rest = chips.length ? note?.slice(parts.length + 2 * (chips.length - 1)).replace(/^ · /, '') : note
  return (
    <>
      <RowIcon name={icon} />
      <span id={`${id}-title`} className={usable ? undefined : 'text-muted'}>
        {title}
      </span>
      {(note || found) && (
        <span id={`${id}-note`} className="palette-note">
          {!isLast && found}
          {!isLast && found && note && ' · '}
          {chips.map((chip) => (
            <span key={chip} className="palette-part">
              {chip}
            </span>
          ))}
          {rest}
          {isLast && found && ' · '}
          {isLast && found}
        </span>
      )}
      {chord && <Chord chord={chord} hidden={false} />}
    </>
  )
})

/** The texts of a rendered row, in which the typed letters are marked. */
export function textsOf(row: Row, slot: string, typed: string): MarkedText[] {
  const { title, found, usable } = row
  const isFirst = usable && !isSpoken(row)
  const id = optionId(slot)
  const texts: MarkedText[] = [{ node: document.getElementById(`${id}-title`)?.firstChild, text: title, typed }]
  const note = found && document.getElementById(`${id}-note`)
  if (note) texts.push({ node: isFirst ? note.firstChild : note.lastChild, text: found, typed })
  return texts
}
