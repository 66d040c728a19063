import { useCallback } from 'react'
import type { Control } from 'react-hook-form'
import type { Values } from '#kernel/form-values.ts'

interface Focusable {
  focus(): void
}

/** What takes the focus of each field, by name, of each form. */
const targets = new WeakMap<Control<Values>, Map<string, Focusable>>()

/** The ref for what takes the focus of a field; also passed to the form library, as `ref`. */
export function useFocusTarget(control: Control<Values>, name: string, ref: (target: Focusable | null) => void) {
  return useCallback(
    (target: Focusable | null) => {
      ref(target)
      const ofForm = targets.get(control) ?? new Map<string, Focusable>()
      targets.set(control, ofForm)
      if (target) ofForm.set(name, target)
      else ofForm.delete(name)
    },
    [control, name, ref],
  )
}

/** Focuses a field at once: `setFocus` of the form library waits for a timer, during which the user may go elsewhere. */
export const focusField = (control: Control<Values>, name: string): void => targets.get(control)?.get(name)?.focus()
