import { type Press, parseChord, pressed } from '#kernel/keys.ts'
import { mac } from '#portal/app/platform.ts'

/** What a key does in a grid. */
export type GridAction =
  | { does: 'move'; rows?: number; pages?: number; extend?: boolean }
  | { does: 'cell'; to: 'left' | 'right' | 'first' | 'last' }
  | { does: 'start' | 'end' | 'open' | 'peek' | 'mark' | 'mark-all' | 'copy' | 'escape' | 'search' }

interface Binding {
  press: Press
  action: GridAction
}

const bindings: readonly Binding[] = [
  { chord: 'ArrowDown', action: { does: 'move', rows: 1 } },
  { chord: 'ArrowUp', action: { does: 'move', rows: -1 } },
  { chord: 'j', action: { does: 'move', rows: 1 } },
  { chord: 'k', action: { does: 'move', rows: -1 } },
  { chord: 'Shift+ArrowDown', action: { does: 'move', rows: 1, extend: true } },
  { chord: 'Shift+ArrowUp', action: { does: 'move', rows: -1, extend: true } },
  { chord: 'PageDown', action: { does: 'move', pages: 1 } },
  { chord: 'PageUp', action: { does: 'move', pages: -1 } },
  { chord: 'ArrowLeft', action: { does: 'cell', to: 'left' } },
  { chord: 'ArrowRight', action: { does: 'cell', to: 'right' } },
  { chord: 'Home', action: { does: 'cell', to: 'first' } },
  { chord: 'End', action: { does: 'cell', to: 'last' } },
  { chord: 'Mod+Home', action: { does: 'start' } },
  { chord: 'Mod+End', action: { does: 'end' } },
  { chord: 'Enter', action: { does: 'open' } },
  { chord: 'Space', action: { does: 'peek' } },
  { chord: 'x', action: { does: 'mark' } },
  { chord: 'Mod+a', action: { does: 'mark-all' } },
  { chord: 'Mod+c', action: { does: 'copy' } },
  { chord: 'Escape', action: { does: 'escape' } },
  { chord: '/', action: { does: 'search' } },
].map(({ chord, action }) => ({
  press: parseChord(chord)[0] as Press,
  action: action as GridAction,
}))

type Event = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'>

/** What a key press means in a grid; null for what the grid leaves to others. Characters count only while `letters` is on. */
export function gridKey(event: Event, letters: boolean): GridAction | null {
  if (event.isComposing || event.keyCode === 229) return null
  if (event.key === ' ' && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) return { does: 'mark' }
  for (const { press, action } of bindings) {
    if (!pressed(press, event, mac)) continue
    const character = press.key.length === 1 && press.key !== ' ' && !press.mod
    return character && !letters ? null : action
  }
  return null
}
