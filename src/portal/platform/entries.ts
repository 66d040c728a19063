interface NavigationApi {
  currentEntry: { index: number } | null
  /** `key` identifies an entry even after its address is replaced. */
  entries: () => { key: string; sameDocument: boolean }[]
}

/**
 * The history entry of the tab at an offset from the current one; undefined if there is none, or if the browser has no Navigation
 * API.
 */
export function entryAt(by: -1 | 0 | 1): { key: string; sameDocument: boolean } | undefined {
  const { navigation } = window as { navigation?: NavigationApi }
  return navigation?.entries()[(navigation.currentEntry?.index ?? 0) + by]
}
