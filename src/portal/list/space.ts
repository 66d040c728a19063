/** Height of a row, in pixels (CONST-007). */
export const rowHeight = 50
/** Rows rendered above and below the visible ones (CONST-008). */
export const overscan = 10
/** Maximum number of rows in the scroll space: browsers clip elements beyond about 15 million pixels. */
export const spaceRows = 200_000

/** The places of the list that the scroll space covers. */
export interface Space {
  /** The place of its first row. */
  origin: number
  rows: number
}

/**
 * The scroll space for the places from `low` to below `high`, around the first visible place. It is only moved when the visible
 * rows get close to one of its ends, and then by whole pages, so that offsets stay exact.
 */
export function spaceFor(now: Space, low: number, high: number, first: number): Space {
  const all = high - low
  if (all <= spaceRows) return { origin: low, rows: all }
  const margin = spaceRows / 8
  const inside =
    now.origin >= low &&
    now.origin + spaceRows <= high + spaceRows / 2 &&
    (first >= now.origin + margin || now.origin === low) &&
    (first <= now.origin + spaceRows - margin || now.origin + spaceRows >= high)
  if (inside) return { origin: now.origin, rows: Math.min(spaceRows, high - now.origin) }
  const middle = Math.round((first - spaceRows / 2) / 1000) * 1000
  const origin = Math.max(low, Math.min(middle, Math.ceil((high - spaceRows) / 1000) * 1000))
  return { origin, rows: Math.min(spaceRows, high - origin) }
}

/**
 * Whether a list in a tab that is scrolled to its top stays there when the cursor's row shifts, so that new rows above are
 * visible. If that row would leave the view of `height` pixels, the list scrolls with it.
 */
export const staysAtTop = (offset: number, before: number, now: number, height: number): boolean =>
  offset === 0 && ((now + 1) * rowHeight <= height || (before + 1) * rowHeight > height)
