import { type PrimitiveAtom, useAtom } from 'jotai'
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

export type RowMove = 'next' | 'previous' | 'first' | 'last'

/** Keys that move the focus over the rows of a page. */
export const rowMoves: Readonly<Record<string, RowMove>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  j: 'next',
  k: 'previous',
  Home: 'first',
  End: 'last',
}

/** The rows of a page, in order. */
export const rowsIn = (page: Element | null): HTMLElement[] => [...(page?.querySelectorAll<HTMLElement>('[data-line]') ?? [])]

/** The row that has the focus; -1 if none has it. */
export const focusedRow = (rows: readonly HTMLElement[]): number => rows.indexOf(document.activeElement as HTMLElement)

/** Moves the focus to another row. */
export function moveFocus(rows: readonly HTMLElement[], move: RowMove): void {
  const now = focusedRow(rows)
  const last = rows.length - 1
  const to = { next: now + 1, previous: now < 0 ? last : now - 1, first: 0, last }[move]
  rows[Math.max(0, Math.min(last, to))]?.focus()
}

/** Attributes of a row with roving focus. */
export interface RovingRow {
  'data-line': true
  tabIndex: 0 | -1
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
}

/**
 * Roving focus: one row is a tab stop, the one that has or last had the focus, whose key `last` keeps. The first row takes the
 * focus from the page when the rows load; if the focused row is removed, the next one gets it.
 */
export function useRovingFocus<K extends string, E extends HTMLElement = HTMLElement>(
  last: PrimitiveAtom<K | null>,
  keys: readonly K[],
): { box: RefObject<E | null>; row: (index: number) => RovingRow } {
  const box = useRef<E>(null)
  const [key, setKey] = useAtom(last)
  const had = useRef(-1)
  const current = Math.max(0, keys.indexOf(key as K))
  useLayoutEffect(() => {
    const page = box.current?.closest<HTMLElement>('[data-region]')
    const now = document.activeElement
    const lost = had.current >= 0 && now === document.body
    if (!page || (now !== page && !lost)) return
    const all = rowsIn(page)
    ;(all[lost ? Math.min(had.current, all.length - 1) : current] ?? page).focus({ preventScroll: true })
  })
  const row = (index: number): RovingRow => ({
    'data-line': true,
    tabIndex: index === current ? 0 : -1,
    onFocus: () => {
      had.current = index
      setKey(keys[index] ?? null)
    },
    onBlur: (event) => {
      // `relatedTarget` is null also if the focused row is removed.
      if (event.relatedTarget) had.current = -1
    },
  })
  return { box, row }
}
