import { focusOf } from '#portal/keyboard/focus.ts'

/** Focuses a page that has arrived, unless the focus is in a floating layer, where the user is already typing. */
export function focusArrived(page: HTMLElement | null | undefined): void {
  if (focusOf(document.activeElement) !== 'dialog') page?.focus({ preventScroll: true })
}
