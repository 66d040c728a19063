import type { FilterType } from '#contract/filter.ts'

export type Theme = 'light' | 'dark' | 'system'

/** What a person's desk can do: the one way in which a command moves the portal. The portal and the terminal implement it. */
export interface Desk {
  /** Goes to an address of the portal. */
  open(path: string, how?: { replace?: boolean; newTab?: boolean }): void
  /** The address of what is on screen, filters included. */
  address(): string
  copy(text: string): Promise<void>
  /** Sets one filter of a list, or takes it away with a null value. */
  filter(entity: string, id: string, setting: { type: FilterType; value: string } | null): void
  clearFilters(entity: string): void
  sort(entity: string, sort: string, order: 'asc' | 'desc'): void
  columns(pane: string, shown: readonly string[]): void
  theme(theme: Theme): void
  /** Opens something of the shell. */
  show(what: 'palette' | 'keys' | 'filters' | 'columns' | 'actions'): void
  /** Moves in the list or detail that is open. */
  select(what: 'all' | 'none' | 'toggle'): void
  undo(): void
  letterKeys(on: boolean): void
  refresh(): void
  signOut(): Promise<void>
}
