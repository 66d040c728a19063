const stops = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/** The tab stops within an element, in order. */
export const tabStops = (within: ParentNode): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(stops)].filter((stop) => stop.tabIndex >= 0 && stop.checkVisibility())
