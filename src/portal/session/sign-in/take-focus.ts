/** Gives the keyboard to a button once it is drawn. */
export const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()
