import { isValidElement, type ReactNode } from 'react'

/** Upper bound of the average letter width in a longer text, in pixels; the gap to the next cell absorbs the rest. */
const letterWidth = 8.5

/** Number of letters in the longest line of a cell: every element in it is a line of its own. */
function letters(node: ReactNode): number {
  if (typeof node === 'string') return node.length
  if (typeof node === 'number') return String(node).length
  if (Array.isArray(node)) {
    let text = 0
    let longest = 0
    for (const each of node as ReactNode[]) {
      if (isValidElement(each)) longest = Math.max(longest, letters(each))
      else text += letters(each)
    }
    return Math.max(text, longest)
  }
  return isValidElement<{ children?: ReactNode }>(node) ? letters(node.props.children) : 0
}

/** True if the text may not fit its cell. Only such cells are clipped, since each clip is painted separately. */
export const isCut = (node: ReactNode, width: number): boolean => letters(node) * letterWidth > width
