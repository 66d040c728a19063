import type { Pages } from '#portal/list/pages.ts'

/** The cursor of a list. */
export interface Cursor {
  place: number
  /** Null while the row at this place is not loaded, and while the open record is none of the loaded rows. */
  id: string | null
  /** Index of the active cell; -1 for the whole row. */
  cell: number
  /** True while the cursor is ahead of the open record, which follows after a moment. */
  ahead: boolean
  /**
   * True after a record was open that is none of the loaded rows, also once it is closed, until the cursor moves: no other row is
   * active before.
   */
  lost?: boolean
}

/**
 * The cursor after the list changed around it: on its row, which may have moved by `shift` places; if that is gone, on the row at
 * its place. While a record is open beside the list the cursor is on that record, or on no row if it is none of the loaded ones,
 * also after it is closed. Returns the same object if nothing changed.
 */
export function anchored(now: Cursor, opened: string | null, pages: Pages): { cursor: Cursor; shift: number } {
  const open = now.ahead ? null : opened
  const wanted = open ?? now.id
  if (wanted !== null && wanted === now.id && pages.idAt(now.place) === wanted) return { cursor: now, shift: 0 }
  const found = wanted === null ? null : pages.placeOf(wanted)
  if (found !== null)
    return { cursor: { ...now, place: found, id: wanted, lost: false }, shift: now.id === wanted ? found - now.place : 0 }
  const at = Math.max(pages.low, Math.min(now.place, pages.high - 1))
  const there = pages.idAt(at)
  // A row keeps the cursor after its page was evicted.
  const stays = there === undefined && at === now.place && now.id === wanted && pages.total !== 0
  const lost = open === null ? now.lost : !stays
  const id = stays ? now.id : lost ? null : (there ?? null)
  return { cursor: id === now.id && at === now.place && lost === now.lost ? now : { ...now, place: at, id, lost }, shift: 0 }
}
