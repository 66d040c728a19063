import { characterOf } from '#kernel/keys.ts'
import { takesText } from '#portal/keyboard/focus.ts'
import { tooEarly } from '#portal/hotkeys/form-drawn.ts'
import type { KeyPress } from '#portal/hotkeys/key-queue.ts'

const stops = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/** The tab stops within an element, in order. */
export const tabStops = (within: ParentNode): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(stops)].filter((stop) => stop.tabIndex >= 0 && stop.checkVisibility())

/**
 * Replays a queued key at the focused element. A synthetic key event has no default action in a browser: typing, Tab, and
 * activating a button or a radio are emulated here, unless a handler prevented it.
 */
export function replay(key: KeyPress, mark: (event: KeyboardEvent) => void): void {
  const again = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true, composed: true })
  mark(again)
  const target = document.activeElement ?? document.body
  if (target.dispatchEvent(again)) byItself(target as HTMLElement, again)
}

/** Emulates the default action of the key. */
function byItself(target: HTMLElement, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, shiftKey } = event
  const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null
  if (key === 'Tab') tab(target, shiftKey ? -1 : 1)
  else if (ctrlKey || metaKey) {
    if (characterOf(event) === 'a') field?.select()
  } else if (field && takesText(field)) {
    if (key.length === 1) document.execCommand('insertText', false, key)
    else if (key === 'Enter' && field instanceof HTMLTextAreaElement) document.execCommand('insertText', false, '\n')
    else if (key === 'Backspace') document.execCommand('delete')
    else if (key === 'Delete') document.execCommand('forwardDelete')
    else moveCaret(field, key)
  } else if (field instanceof HTMLInputElement && field.type === 'radio' && key.startsWith('Arrow'))
    radio(field, /Down|Right/.test(key) ? 1 : -1)
  else if ((key === ' ' || (key === 'Enter' && !field)) && !(target.matches('[data-go]') && tooEarly(event))) target.click()
}

/** Tab continues from the focused element, even if that is not a tab stop itself, such as the page of a record. */
function tab(from: HTMLElement, by: 1 | -1): void {
  const all = tabStops(document).filter((stop) => stop !== from)
  const after = all.findIndex((stop) => from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING)
  const next = after < 0 ? all.length : after
  all[(by > 0 ? next : next - 1 + all.length) % all.length]?.focus()
}

function moveCaret(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  const at = field.selectionStart
  if (at === null) return
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: field.value.length }[key]
  if (to !== undefined) field.setSelectionRange(Math.max(0, to), Math.max(0, to))
}

function radio(from: HTMLInputElement, by: number): void {
  const all = [...document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(from.name)}"]`)]
  const next = all[(all.indexOf(from) + by + all.length) % all.length]
  next?.focus()
  next?.click()
}
