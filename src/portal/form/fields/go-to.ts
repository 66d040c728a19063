/** Focuses a field of a form and selects the text of a one-line input, as Tab does in a browser. */
export function goTo(stop: HTMLElement | null | undefined): void {
  stop?.focus()
  if (stop instanceof HTMLInputElement) stop.select()
}
