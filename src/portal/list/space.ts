/** Height of a row, in pixels (CONST-007). */
export const rowHeight = 50
/** Rows drawn above and below the visible ones (CONST-008). */
export const overscan = 10
/** Rows that the scroll space holds at most: browsers clip an element from about 15 million pixels on. */
export const spaceRows = 200_000

/** Which places of the list the scroll space covers. */
export interface Space {
  /** The place of its first row. */
  origin: number
  rows: number
}

/**
 * The scroll space for the places from `low` to below `high`, around the first visible place. It stays where it is for
 * as long as the visible rows are far from its ends; it moves by whole pages, so that a pixel stays a pixel.
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
 * Whether the list of a tab that stands at its top stays there though the row under the cursor moved: what comes in above is seen. Where that
 * row would leave the sight, of `height` pixels, the list goes with it.
 */
export const staysAtTop = (offset: number, before: number, now: number, height: number): boolean =>
  offset === 0 && ((now + 1) * rowHeight <= height || (before + 1) * rowHeight > height)
