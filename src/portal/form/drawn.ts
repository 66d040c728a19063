import { giveUp } from '#portal/keyboard/hold.ts'
import { pressedAt } from '#portal/keyboard/key-queue.ts'
import { say } from '#portal/app/toasts.ts'

let drawnAt = 0

/** Told when a form, or a step of it, is drawn. */
export function tellFormDrawn(): void {
  drawnAt = performance.now()
}

/** Whether a key that would send the form was pressed before the form was drawn: nobody sends what they have not seen. Says so. */
export function tooEarly(event: Event): boolean {
  if (pressedAt(event) >= drawnAt) return false
  giveUp()
  say('Not sent: the form was not there yet. Check it and press Enter again.')
  return true
}
