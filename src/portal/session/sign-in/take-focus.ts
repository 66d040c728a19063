/** Focuses a button when it is mounted. */
export const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()
