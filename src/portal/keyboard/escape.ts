/** What leaves the page that is shown, the newest last. */
const ways: (() => void)[] = []

/** Lets Escape leave a page, `leave`, until the returned function is called. */
export function leavesByEscape(leave: () => void): () => void {
  ways.push(leave)
  return () => {
    ways.splice(ways.indexOf(leave), 1)
  }
}

/**
 * Leaves the page by Escape, wherever the focus is: in the page, in the bars, or nowhere after Tab has passed the last element.
 * False if there is none, or a dialog is open.
 */
export function leavePage(): boolean {
  const leave = document.querySelector('[aria-modal=true]') ? undefined : ways.at(-1)
  leave?.()
  return leave !== undefined
}
