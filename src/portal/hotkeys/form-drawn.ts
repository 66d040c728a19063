import { giveUp } from '#portal/keyboard/hold.ts'
import { goOnTyping, isRunOn, pressedAt } from '#portal/hotkeys/key-queue.ts'
import { showToast } from '#portal/platform/toasts.ts'

let drawnAt = 0

/** Called when a form, or a step of it, is rendered. */
export function tellFormDrawn(): void {
  drawnAt = performance.now()
}

/**
 * Whether a key that would send the form was pressed before the form was rendered: nobody sends what they have not seen. Shows a
 * toast then.
 */
export function tooEarly(event: Event): boolean {
  if (pressedAt(event) >= drawnAt) return false
  giveUp()
  showToast('Not sent: the form was not there yet. Check it and press Enter again.')
  return true
}

/** The same for a key on a button of the form; a key that ends uninterrupted typing does not count for the button either. */
export function tooEarlyOnButton(event: Event): boolean {
  const isEarly = tooEarly(event)
  if (!isEarly && !isRunOn(event)) return false
  goOnTyping()
  if (isEarly) return true
  giveUp()
  showToast('Not sent: the key belonged to text that was typed before. Check the form and press Enter again.')
  return true
}
