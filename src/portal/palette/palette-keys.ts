import { characterOf } from '#kernel/keys.ts'

/** Where a row opens: with Ctrl+Enter a record beside what is open and a command in a new tab, clicked with Ctrl both in one. */
export type Destination = 'here' | 'beside' | 'tab'

/** Action of a key in the palette's field. */
export type KeyAction =
  | { do: 'move'; by: number }
  | { do: 'first' | 'last' }
  | { do: 'run'; to: Destination }
  | { do: 'tab'; by: 1 | -1 }
  | { do: 'back' }
  | { do: 'escape' }
  | { do: 'copy' }

interface KeyPressed {
  key: string
  code?: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  isComposing: boolean
  keyCode: number
}

/** Number of rows that PgUp and PgDn move by. */
const pageRows = 10

/**
 * The action of a key, or null if it belongs to the text. During IME composition every key does: Enter, Tab and the arrows choose
 * among its candidates.
 */
export function keyAction(event: KeyPressed, now: { mac: boolean; empty: boolean; marked: boolean }): KeyAction | null {
  if (event.isComposing || event.keyCode === 229) return null
  const mod = now.mac ? event.metaKey : event.ctrlKey
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey
  switch (event.key) {
    case 'ArrowDown':
      return plain && !event.shiftKey ? { do: 'move', by: 1 } : null
    case 'ArrowUp':
      return plain && !event.shiftKey ? { do: 'move', by: -1 } : null
    case 'PageDown':
      return plain ? { do: 'move', by: pageRows } : null
    case 'PageUp':
      return plain ? { do: 'move', by: -pageRows } : null
    case 'Home':
      return event.ctrlKey ? { do: 'first' } : null
    case 'End':
      return event.ctrlKey ? { do: 'last' } : null
    case 'Enter':
      return event.altKey ? null : { do: 'run', to: mod ? 'beside' : 'here' }
    case 'Tab':
      return plain ? { do: 'tab', by: event.shiftKey ? -1 : 1 } : null
    case 'Backspace':
      return plain && now.empty ? { do: 'back' } : null
    case 'Escape':
      return { do: 'escape' }
    default:
      return mod && !event.shiftKey && !event.altKey && characterOf(event) === 'c' && !now.marked ? { do: 'copy' } : null
  }
}

/** The index after a move: a step wraps, a page stops at the end. */
export function moved(from: number, by: number, count: number): number {
  if (!count) return -1
  if (from === -1) return by > 0 ? 0 : count - 1
  if (Math.abs(by) === 1) return (from + by + count) % count
  return Math.min(count - 1, Math.max(0, from + by))
}
