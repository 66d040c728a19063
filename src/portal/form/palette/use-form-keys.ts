import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { popPage } from '#portal/commands/palette-state.ts'
import { goTo } from '#portal/form/fields/go-to.ts'
import { nextStop } from '#portal/form/palette/use-form-focus.ts'
import { tooEarly, tooEarlyOnButton } from '#portal/hotkeys/form-drawn.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'

interface KeysOptions {
  /** Whether the last step is shown, which Enter sends. */
  last: boolean
  singleLine: boolean
  /** Whether Enter alone goes on. */
  byEnter: boolean
  onward: () => Promise<void>
}

/** The keys of a form in the palette, and the click on its button. Neither keys typed ahead of the last step nor a held key send it. */
export function useFormKeys(element: RefObject<HTMLFormElement | null>, { last, singleLine, byEnter, onward }: KeysOptions) {
  const ignoredPress = useRef(false)
  // Whether the keys before were text, which the button has no use for: a space in it does not press.
  const typing = useRef(false)
  const goOn = (event: KeyboardEvent) => {
    if (!(last && tooEarly(event.nativeEvent))) void blockKeysWhile(onward())
  }
  const keys = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      popPage()
      return
    }
    const on = event.target as HTMLElement
    const presses = last && on.matches('[data-go]') && (event.key === 'Enter' || event.key === ' ')
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key !== ' ') typing.current = isText && on.matches('[data-go]')
    // The browser clicks on the keyup of Space, even if its keydown was prevented.
    ignoredPress.current =
      presses &&
      !(event.ctrlKey || event.metaKey) &&
      (tooEarlyOnButton(event.nativeEvent) || (event.key === ' ' && typing.current))
    if (ignoredPress.current) return event.preventDefault()
    if (event.key !== 'Enter') return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      if (!event.repeat) goOn(event)
    } else if (on instanceof HTMLInputElement || ['listbox', 'grid'].includes(on.getAttribute('role') ?? '')) {
      event.preventDefault()
      if (event.repeat || !byEnter) return
      // While no option is checked, Enter checks the focused one.
      if (on instanceof HTMLInputElement && on.type === 'radio' && !on.checked) on.click()
      const next = singleLine ? undefined : nextStop(element.current, on)
      if (next && !next.matches('[data-go]')) goTo(next)
      else goOn(event)
    } else if (on instanceof HTMLButtonElement && event.repeat) event.preventDefault()
  }
  const click = ({ detail }: { detail: number }) => {
    const byPointer = detail > 0
    if (byPointer || !ignoredPress.current) void blockKeysWhile(onward())
  }
  return { keys, click }
}
