import type { KeyboardEvent } from 'react'
import { store } from '#portal/platform/store.ts'
import type { reader } from '#portal/keyboard/fixed-keys.ts'
import { takesText } from '#portal/keyboard/focus.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'

/** Handles the keys of a table with `read`, except while typing in a field. */
export const onKeys =
  <Action>(read: ReturnType<typeof reader<Action>>, does: (action: Action, event: KeyboardEvent<HTMLElement>) => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    if (event.defaultPrevented || takesText(event.target as Element)) return
    const action = read(event.nativeEvent, store.get(lettersAtom))
    if (action === null) return
    event.preventDefault()
    does(action, event)
  }
