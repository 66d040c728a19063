import type { ComponentProps } from 'react'
import { composingAtom, keepCaret, takeCaret, typePalette } from '#portal/commands/palette-state.ts'
import { usePalette } from '#portal/commands/use-palette.ts'
import { store } from '#portal/platform/store.ts'

/**
 * A field in place of one that is not drawn yet, which takes text at once. The other one gets it, with the caret, but not during
 * input composition.
 */
export function StandInField(props: ComponentProps<'input'>) {
  const { typed } = usePalette()
  return (
    <input
      {...props}
      ref={handsOver}
      // biome-ignore lint/a11y/noAutofocus: the field it replaces would have the focus
      autoFocus
      autoComplete="off"
      value={typed}
      onChange={(event) => typePalette(event.target.value)}
      onCompositionStart={() => store.set(composingAtom, true)}
      onCompositionEnd={() => store.set(composingAtom, false)}
    />
  )
}

/** Puts the caret where it was in the field before this one, and keeps it for the next. */
function handsOver(field: HTMLInputElement): () => void {
  const caret = takeCaret()
  if (caret) field.setSelectionRange(...caret)
  return () => {
    keepCaret(field)
    store.set(composingAtom, false)
  }
}
