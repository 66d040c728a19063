import type { KeyboardEvent } from 'react'
import { goTo } from '#portal/form/fields/go-to.ts'

/** Moves between lines within a column, from the search to the first line, and with F8 to the next invalid cell. */
export function moveBetween(event: KeyboardEvent<HTMLElement>): void {
  const on = event.target as HTMLElement
  if (event.key === 'F8') {
    const wrong = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column][aria-invalid=true]')]
    const next = wrong.find((cell) => on.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING) ?? wrong[0]
    if (next) goTo(next)
    event.preventDefault()
    return
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (on instanceof HTMLSelectElement && !event.altKey) return
  const { column } = on.dataset
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>(column ? `[data-column="${column}"]` : '[data-column]')]
  const search = event.currentTarget.querySelector<HTMLElement>('[type=search]')
  const next = cells[cells.indexOf(on) + (event.key === 'ArrowDown' ? 1 : -1)] ?? (event.key === 'ArrowUp' ? search : null)
  if (!next || next === on) return
  event.preventDefault()
  goTo(next)
}
