interface Entries {
  currentEntry: { index: number } | null
  /** Its `key` stays an entry's own while what it shows is replaced. */
  entries: () => { key: string; sameDocument: boolean }[]
}

/** The entry of the tab's history so far from where the portal is; undefined where there is none or the browser does not tell. */
export function entryAt(by: -1 | 0 | 1): { key: string; sameDocument: boolean } | undefined {
  const { navigation } = window as { navigation?: Entries }
  return navigation?.entries()[(navigation.currentEntry?.index ?? 0) + by]
}
