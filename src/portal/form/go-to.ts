/** Gives the keyboard to a place of a form; what is typed next replaces what stands in an input of one line, as behind Tab in a browser. */
export function goTo(stop: HTMLElement | null | undefined): void {
  stop?.focus()
  if (stop instanceof HTMLInputElement) stop.select()
}
