import { useLayoutEffect, useState } from 'react'
import { type PaletteState, paletteAtom } from '#portal/commands/palette-state.ts'
import { store } from '#portal/platform/store.ts'

const current = (): PaletteState => store.get(paletteAtom)

/**
 * The state of the palette, followed from the moment the component is in the page. `useAtomValue` follows an atom from the effects
 * on, which a busy browser runs later: React would undo what is typed into a field before that.
 */
export function usePalette(): PaletteState {
  const [state, setState] = useState(current)
  useLayoutEffect(() => {
    const follow = () => setState(current)
    follow()
    return store.sub(paletteAtom, follow)
  }, [])
  return state
}
