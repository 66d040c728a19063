import type { List } from '#portal/list/list.ts'

/** Extra pixels beside the text, so that rounding does not cut the last letter. */
const beside = 4

/** The grid of a list; null unless it is rendered. */
export const gridOf = (list: List): HTMLElement | null =>
  document.querySelector(`${list.side === 'beside' ? '[data-side="beside"] ' : ''}[data-list="${list.definition.name}"]`)

/** The width in pixels that fits the header and the rendered texts of a column; null if none is rendered. */
export function widthOfTexts(list: List, id: string): number | null {
  const at = list.drawn.findIndex(([each]) => each === id)
  const grid = gridOf(list)
  if (at < 0 || !grid) return null
  const rows = [...grid.querySelectorAll('.grid-head, .grid-row:not(.grid-skeleton)')]
  // The first cell of a row is its checkbox.
  const widths = rows.flatMap((row) => {
    const cell = row.children[at + 1]
    return cell ? [textWidth(cell)] : []
  })
  return widths.length ? Math.ceil(Math.max(...widths)) + beside : null
}

/** Width from the left edge of the cell to the end of its text, including an icon before it; also if it is clipped. */
function textWidth(cell: Element): number {
  const range = document.createRange()
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const lines: DOMRect[] = []
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    lines.push(...range.getClientRects())
  }
  const end = Math.max(0, ...lines.map((line) => line.right))
  const start = cell.classList.contains('cell-right')
    ? Math.min(end, ...lines.map((line) => line.left))
    : cell.getBoundingClientRect().left
  return end - start
}
