import { focusOf } from '#portal/keyboard/focus.ts'

/** Gives the keyboard to a page that has arrived, unless it is in what floats above: whoever types there was quicker. */
export function focusArrived(page: HTMLElement | null | undefined): void {
  if (focusOf(document.activeElement) !== 'dialog') page?.focus({ preventScroll: true })
}
