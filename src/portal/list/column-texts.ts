import type { List } from '#portal/list/list.ts'

/** Room beside the text, so that the last letter is not cut where a pixel is rounded. */
const beside = 4

/** The width that the texts of a column need, in pixels, with its heading, as far as rows are drawn; null where none is. */
export function widthOfTexts(list: List, id: string): number | null {
  const at = list.drawn.findIndex(([each]) => each === id)
  const grid = document.querySelector(`[data-list="${list.definition.name}"]`)
  if (at < 0 || !grid) return null
  const rows = [...grid.querySelectorAll('.grid-head, .grid-row:not(.grid-skeleton)')]
  // The box to mark a row comes first.
  const widths = rows.flatMap((row) => {
    const cell = row.children[at + 1]
    return cell ? [textWidth(cell)] : []
  })
  return widths.length ? Math.ceil(Math.max(...widths)) + beside : null
}

/** From the edge of the cell where its text begins, a mark before it included, to where that ends; also where it is clipped. */
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
