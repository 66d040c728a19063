import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { progress } from '#kernel/keys.ts'
import { type HighlightState, highlit } from '#portal/palette/highlight.ts'
import { type Destination, keyAction, moved } from '#portal/palette/palette-keys.ts'
import { optionId } from '#portal/palette/result-row.tsx'
import { ResultList, slotAt } from '#portal/palette/result-list.tsx'
import type { Results, Row } from '#portal/palette/row.ts'
import { sentenceParts } from '#portal/palette/sentences.ts'
import { LiveText } from '#portal/palette/live-text.tsx'
import { blockKeys } from '#portal/keyboard/hold.ts'
import { putBack } from '#portal/hotkeys/key-queue.ts'
import {
  closePalette,
  isBack,
  markedRow,
  markRow,
  popPage,
  takeCaret,
  takeEnter,
  typePalette,
} from '#portal/commands/palette-state.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { forgottenAtom } from '#portal/records/recent.ts'
import { chordById } from '#portal/platform/registry.ts'
import { announce } from '#portal/platform/toasts.ts'
import { useSlow } from '#portal/ui/use-sending.ts'

interface Props {
  /** False while it is kept rendered for the next time: hidden, without focus. */
  live?: boolean
  /** Accessible name of the field and of the list. */
  label: string
  placeholder: string
  typed: string
  /** The part of the text that was searched. */
  searched: string
  results: Results
  /** Subject of the list: another one starts over at its first row. */
  about?: string
  /** True while the subject is loading: keys that act on rows wait for it. */
  coming?: boolean
  /** True while an answer for the text is outstanding. */
  waiting: boolean
  /** The chip, or the command that asks. */
  lead: ReactNode
  foot: (row: Row | undefined) => ReactNode
  onRun: (row: Row, to: Destination) => void
  onTab: (row: Row) => void
  /** Called for Tab before `onTab`, and for Shift+Tab: returns true if it completes the text. */
  onComplete?: (rows: readonly Row[], active: number, by: 1 | -1) => boolean
  onCopy: (row: Row) => void
  /** Called for the shortcut of favourites, which is a command's and may be changed. */
  onFavourite: (row: Row) => void
  /** Called for Backspace in an empty field. */
  onBack: () => void
  /** Called for Enter while an answer is outstanding: the debounce ends. */
  onHurry: () => void
  /** Called for a pasted text, or for Enter without results; returns true if the text is not for the field. */
  onPaste?: (text: string) => boolean
}

/** Actions of keys that depend on the rows. */
const goesThroughRows: readonly string[] = ['move', 'first', 'last', 'tab', 'copy']

/** A search field with its results: keys, the active row, and Enter that waits for the answer. */
export function SearchPage(props: Props) {
  const {
    live = true,
    label,
    placeholder,
    typed,
    searched,
    results,
    about = '',
    coming = false,
    waiting,
    lead,
    foot,
    onRun,
    onTab,
    onComplete,
    onCopy,
    onFavourite,
    onBack,
    onHurry,
    onPaste,
  } = props
  const forgotten = useAtomValue(forgottenAtom)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // The text whose list was scrolled.
  const [scrolled, setScrolled] = useState<string | null>(null)
  const listId = useId()
  const hints = useId()
  // Where the user moved to, for this text only: the next letter resets it.
  const [chosen, setChosen] = useState<{ typed: string; key: string } | null>(null)
  const held = useRef<{ typed: string; to: Destination; release: () => void } | null>(null)
  /** Holds an Enter until the list matches the text; later keys are queued behind it. */
  const keep = useCallback((enter: { typed: string; to: Destination } | null) => {
    held.current?.release()
    held.current = enter && { ...enter, release: blockKeys() }
  }, [])

  const { rows } = results
  const kept = chosen?.typed === typed ? rows.findIndex((row) => row.key === chosen.key) : -1
  const before = useRef<HighlightState | null>(null)
  const shown = `${about} ${typed}`
  const active = kept === -1 ? highlit(results, before.current, shown) : kept
  const slot = slotAt(results, active)
  const choose = (position: number) => {
    const row = rows[position]
    if (row) setChosen({ typed, key: row.key })
  }

  useLayoutEffect(() => {
    if (!live) return
    field.current?.focus({ preventScroll: true })
    const caret = takeCaret()
    if (caret) field.current?.setSelectionRange(...caret)
    if (isBack()) {
      field.current?.select()
      setChosen({ typed: field.current?.value ?? '', key: markedRow() ?? '' })
    }
    if (takeEnter()) keep({ typed: field.current?.value ?? '', to: 'here' })
    return () => {
      keep(null)
      before.current = null
      setChosen(null)
    }
  }, [live, keep])
  useLayoutEffect(() => {
    if (live && rows.length) before.current = { list: shown, key: rows[active]?.key ?? null, sure: results.sure }
  }, [live, shown, rows, active, results.sure])
  useLayoutEffect(() => {
    // A new text starts at the top. Skipped if it is there already, since setting scrollTop would force another layout.
    if (scrolled === null || scrolled === typed) return
    list.current?.scrollTo({ top: 0 })
    setScrolled(null)
  }, [typed, scrolled])
  useLayoutEffect(() => {
    if (kept === -1) return
    const row = document.getElementById(optionId(slot))
    // Scrolls far enough to show the heading of the first group, too.
    if (kept === 0) list.current?.scrollTo({ top: 0 })
    else row?.scrollIntoView({ block: 'nearest' })
  }, [kept, slot])

  const run = (row: Row | undefined, to: Destination) => {
    keep(null)
    if (row) {
      markRow(row.key)
      onRun(row, to)
    } else if (!onPaste?.(typed) && rows.length) announce('Choose a row with the arrow keys.', true)
  }
  useEffect(() => {
    if (!held.current) return
    if (!results.sure) return onHurry()
    const { typed: asked, to } = held.current
    keep(null)
    // If the search failed, the remaining rows are not the answer to it.
    if (asked === typed && !rows.some((row) => row.kind === 'retry')) run(rows[active], to)
  })

  const failure = rows.find((row) => row.kind === 'retry')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const marked = input.selectionStart !== input.selectionEnd
    const { key, code, ctrlKey, metaKey, altKey, shiftKey, keyCode } = event
    const { isComposing } = event.nativeEvent
    const action = keyAction(
      { key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing, keyCode },
      { mac, empty: typed === '', marked },
    )
    const row = rows[active]
    const favouriteKey = chordById('view.favourite.add')
    if (favouriteKey && row && !isComposing && progress(favouriteKey, [event], mac) === 'whole') {
      event.preventDefault()
      event.stopPropagation()
      return onFavourite(row)
    }
    if (!action) return
    if (action.do === 'copy' && !row) return
    event.preventDefault()
    event.stopPropagation()
    if (coming && goesThroughRows.includes(action.do)) return putBack(event.nativeEvent, () => !act.current.coming)
    switch (action.do) {
      case 'move':
        return choose(moved(active, action.by, rows.length))
      case 'first':
        return choose(0)
      case 'last':
        return choose(rows.length - 1)
      case 'run':
        if (event.repeat) return
        // Without a highlighted row, Enter tries a failed search again, as its row says.
        if (results.sure || kept !== -1) return run(row ?? failure, action.to)
        keep({ typed, to: action.to })
        return onHurry()
      case 'tab':
        if (onComplete?.(rows, active, action.by)) return
        if (row) markRow(row.key)
        return row && action.by === 1 && onTab(row)
      case 'copy':
        return row && onCopy(row)
      case 'back':
        return onBack()
      case 'escape':
        keep(null)
        return typed && !isBack() ? sentenceParts()?.takeBack(typed) || typePalette('') : popPage()
    }
  }

  const act = useRef({ choose, run, rows, typed, coming })
  act.current = { choose, run, rows, typed, coming }
  const onPoint = useCallback((position: number) => act.current.choose(position), [])
  const onPick = useCallback((position: number, to: Destination) => act.current.run(act.current.rows[position], to), [])

  const onScroll = useCallback(() => setScrolled(act.current.typed), [])

  return (
    <>
      <div className="flex h-12 items-center gap-2 border-b border-line px-3.5 text-title">
        {lead}
        <input
          ref={field}
          role="combobox"
          aria-label={label}
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-activedescendant={slot ? optionId(slot) : undefined}
          aria-describedby={hints}
          className="flex-1 bg-transparent caret-accent outline-none"
          // As wide as what is typed: the chip and the count give way. In steps: each one lays the page out once more.
          style={{ minWidth: `min(100% - 88px, ${widthStep * Math.ceil((typed.length + 2) / widthStep)}ch)` }}
          type="text"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            keep(null)
            typePalette(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (onPaste?.(event.clipboardData.getData('text/plain'))) event.preventDefault()
          }}
        />
        {searched !== '' && <Count count={rows.length} waiting={waiting} />}
        <button type="button" className="sr-only" tabIndex={-1} onClick={closePalette}>
          Close
        </button>
      </div>
      {/* Fixed height whatever was found, so that nothing moves during typing. */}
      <div className="relative h-[min(52dvh,560px)]" aria-busy={waiting}>
        <ResultList
          key={forgotten}
          id={listId}
          results={results}
          all={scrolled === typed}
          activePosition={active}
          active={slot}
          typed={searched}
          label={label}
          listRef={list}
          onScroll={onScroll}
          onPoint={onPoint}
          onPick={onPick}
        />
        {results.empty && <p className="absolute inset-x-0 top-0 px-4 pt-4 wrap-anywhere text-muted">{results.empty}</p>}
      </div>
      <div
        id={hints}
        className="flex h-9 items-center gap-4 overflow-hidden border-t border-line bg-canvas px-4 text-small whitespace-nowrap text-muted"
      >
        {foot(rows[active])}
      </div>
      <div role="alert" className="sr-only">
        {failure && `${failure.title}. ${failure.note}`}
      </div>
      <LiveText text={waiting || !live ? '' : liveText(results, active)} />
    </>
  )
}

/** Step by which the field is widened, in characters. */
const widthStep = 8

/** The number of results; only a slow search says that it is searching, since the word would flash at each key. */
function Count({ count, waiting }: { count: number; waiting: boolean }) {
  const slow = useSlow(waiting)
  if (!slow && !count) return null
  return (
    // In a narrow palette the number alone stays: the word wraps out of sight.
    <span
      className="flex h-5 min-w-[2ch] shrink-[99] flex-wrap justify-end gap-x-1 overflow-hidden text-small leading-5 text-muted tabular-nums"
      aria-hidden="true"
    >
      <span>{slow ? '\u200b' : count}</span>
      <span>{slow ? 'Searching…' : count === 1 ? 'result' : 'results'}</span>
    </span>
  )
}

/** '12 results; first: Pause employee'. */
function liveText({ rows, empty }: Results, active: number): string {
  if (!rows.length) return empty ?? ''
  const first = rows[active] ?? rows[0]
  return `${rows.length} ${rows.length === 1 ? 'result' : 'results'}; first: ${first?.title}`
}
