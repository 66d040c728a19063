import type { TextAhead } from '#portal/commands/palette-state.ts'
import { takesText } from '#portal/keyboard/focus.ts'
import type { KeyPress } from '#portal/hotkeys/key-queue.ts'

/**
 * Calls the handlers of the focused element with a queued key. An event is the one way to reach them all, those of packages
 * included. Nothing else comes of it: a browser neither types, nor tabs, nor clicks for an event of the page itself. A key that
 * no handler takes has no effect, unless it is text for a focused field.
 */
export function deliver(key: KeyPress, mark: (event: KeyboardEvent) => void): void {
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true, composed: true })
  mark(event)
  const target = document.activeElement ?? document.body
  if (!target.dispatchEvent(event) || key.ctrlKey || key.metaKey || !isField(target)) return
  if (key.key.length === 1) putText(target, key.key)
  else if (key.key === 'Enter' && target instanceof HTMLTextAreaElement) putText(target, '\n')
  else if (key.key === 'Backspace') putText(target, '', 1)
}

type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (element: Element | null): element is Field =>
  (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && takesText(element)

/** Puts text in a field in place of its selection; without one, also in place of some characters before the caret. */
function putText(field: Field, text: string, before = 0): void {
  const end = field.selectionEnd ?? field.value.length
  const start = field.selectionStart ?? end
  field.setRangeText(text, start === end ? Math.max(0, start - before) : start, end, 'end')
  const inputType = text ? 'insertText' : 'deleteContentBackward'
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data: text || null }))
}

/** Gives the focused field the text that was typed for it; an element that takes none gets its letters as keys. */
export function handOver({ text, caret }: TextAhead): void {
  const field = document.activeElement
  if (isField(field)) {
    const start = field.selectionStart ?? 0
    if (text) putText(field, text)
    if (caret) field.setSelectionRange(start + caret[0], start + caret[1])
  } else {
    const none = { code: '', keyCode: 0, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    for (const key of text) deliver({ ...none, key }, () => {})
  }
}
