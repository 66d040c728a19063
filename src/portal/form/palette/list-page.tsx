import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { characterOf } from '#kernel/keys.ts'
import { OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { popPage } from '#portal/commands/palette-state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** A key press in a list: its letter, if it types one. */
export interface ListKey {
  event: KeyboardEvent
  letter: string
  mod: boolean
}

/** A key of the list and what it does, below it. */
export interface ListHint {
  chord: string
  says: string
}

interface Props<Row> {
  title: string
  /** Accessible name of the list. */
  label: string
  /** The sentence in place of an empty list, and its icon. */
  empty: { icon: string; sentence: string }
  rows: readonly Row[]
  keyOf: (row: Row) => string
  content: (row: Row) => ReactNode
  hints: (row: Row) => readonly ListHint[]
  /** Handles a key on the active row; true if it did. Moving and leaving are handled before it. `choose` moves to a row. */
  onKey: (key: ListKey, row: Row, at: { index: number; choose: (index: number) => void }) => boolean
  /** A click on a row; it only chooses the row without this. */
  onPick?: (row: Row) => void
}

/** A page of the palette that is one list: arrows, `j` and `k` move, Escape and Backspace leave. */
export function ListPage<Row>({ title, label, empty, rows, keyOf, content, hints, onKey, onPick }: Props<Row>) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [active, choose] = useState(0)
  const isEmpty = rows.length === 0
  useEffect(() => {
    if (!isEmpty) list.current?.focus()
  }, [isEmpty])
  if (isEmpty)
    return (
      <>
        <PageHead chip={null} title={title} />
        <OneLine icon={empty.icon}>{empty.sentence}</OneLine>
      </>
    )
  const at = Math.min(active, rows.length - 1)
  const row = rows[at] as Row
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey) return
    const { key } = event
    const letter = characterOf(event)
    const pressed = { event, letter, mod: event.ctrlKey || event.metaKey }
    if (key === 'Escape' || key === 'Backspace') popPage()
    else if (onKey(pressed, row, { index: at, choose })) {
      // The page has handled it.
    } else if (key === 'ArrowDown' || letter === 'j') choose((at + 1) % rows.length)
    else if (key === 'ArrowUp' || letter === 'k') choose((at - 1 + rows.length) % rows.length)
    else if (key === 'Home') choose(0)
    else if (key === 'End') choose(rows.length - 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <PageHead chip={null} title={title} />
      <div
        ref={list}
        role="listbox"
        aria-label={label}
        aria-activedescendant={`${id}-${at}`}
        tabIndex={0}
        onKeyDown={keys}
        className="max-h-[52vh] overflow-auto py-1.5 outline-none"
      >
        {rows.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
          <div
            key={keyOf(each)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => {
              choose(index)
              onPick?.(each)
            }}
            ref={(element) => {
              if (index === at) element?.scrollIntoView?.({ block: 'nearest' })
            }}
            className={`mx-1.5 flex h-9 items-center gap-3 rounded-[7px] px-2.5 ${index === at ? 'bg-accent-wash' : ''}`}
          >
            {content(each)}
          </div>
        ))}
      </div>
      <div className="flex h-9 items-center gap-4 border-t border-line bg-canvas px-4 text-small text-muted">
        {hints(row).map(({ chord, says }) => (
          <span key={says} className="inline-flex items-center gap-1.5">
            <Kbd chord={chord} /> {says}
          </span>
        ))}
      </div>
    </>
  )
}
