/** Edges of a box on screen, in pixels from the top left corner. */
export type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

const margin = 16
const maxToastWidth = 440
const gap = 8

/**
 * The position of toasts, in pixels from the right and bottom edge of the screen: at the bottom right of `area`, above every bar
 * of `bars` that they would cover, and always on screen. `height` is their own.
 */
export function toastPlace(
  screen: { width: number; height: number },
  area: Box,
  bars: readonly Box[],
  height: number,
): { right: number; bottom: number; width: number } {
  const edge = area.right - margin
  const width = Math.min(maxToastWidth, area.right - area.left - 2 * margin)
  let foot = Math.min(area.bottom, screen.height) - margin
  // From the lowest bar up, since moving above one may hit another.
  for (const bar of [...bars].sort((a, b) => b.bottom - a.bottom)) {
    const beside = bar.left < edge && bar.right > edge - width
    if (beside && bar.top < foot + gap && bar.bottom > foot - height) foot = Math.max(bar.top - gap, height)
  }
  return { right: screen.width - edge, bottom: screen.height - foot, width }
}

const shown = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())

/** Places toasts inside the list if a record is open beside it, else inside the main area, clear of every toolbar and form. */
export function placeToasts(box: HTMLElement): void {
  const screen = { width: innerWidth, height: innerHeight }
  const whole = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }
  const area = shown('.work-split > .pane')[0]?.getBoundingClientRect() ?? whole
  const bars = shown('.frame-bar, .tour, .detail-acts, .page-save, .sheet:has(form), .drawer-write').map((bar) =>
    bar.getBoundingClientRect(),
  )
  const { right, bottom, width } = toastPlace(screen, area, bars, box.offsetHeight)
  Object.assign(box.style, { right: `${right}px`, bottom: `${bottom}px`, maxWidth: `${width}px` })
}
