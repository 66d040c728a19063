import { isValidElement, type ReactNode } from 'react'

/** More than the width of almost any letter in a text of some length, in pixels; the gap to the next cell takes the rest. */
const letterWidth = 8.5

/** Letters of the longest line of a cell: every element in it is a line of its own. */
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

/** True where the text of a cell may be too long for it. Only such a cell is clipped: every clip is painted for itself. */
export const isCut = (node: ReactNode, width: number): boolean => letters(node) * letterWidth > width
