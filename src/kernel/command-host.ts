import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import type { FilterSetting, FilterType } from '#contract/filter.ts'
import type { Copied } from '#kernel/copied.ts'

/** File formats that a list is exported in. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Pixels that a column of a list is wide at least and at most. */
export const columnWidths = { min: 48, max: 800 } as const

/** How the columns of a list are changed: width in pixels or by a step, place by one or before another, null for the end. */
export type Arrangement =
  | { does: 'size'; column: string; by?: 1 | -1; width?: number }
  | { does: 'move'; column: string; by: 1 | -1 }
  | { does: 'move'; column: string; before: string | null }
  | { does: 'fit'; column?: string }
  | { does: 'reset' }

/** What a command may do to the portal. The portal and the terminal implement it. */
export interface CommandHost {
  /** Goes to an address of the portal. */
  open(path: string, how?: { replace?: boolean; newTab?: boolean }): void
  /** The address of what is on screen, filters included. */
  address(): string
  /** Copies the link of the thing at hand, or what else is copied of it, and says so. */
  copyOf(what: 'link' | Copied): void
  /** Copies a text made of the answer of a call, and says so; a refusal is said instead. */
  copyAnswer<E extends AnyEndpoint>(endpoint: E, at: At, textOf: (answer: AnswerOf<E>) => string, done: string): Promise<void>
  /** Saves the file that a call answers. */
  save(endpoint: AnyEndpoint, at: At, query?: Record<string, string>): Promise<void>
  /** Saves every row that matches the open list's filter as a file, with the columns that are shown. */
  exportList(format: ExportFormat): Promise<void>
  /** Sets one filter of a list, or takes it away with a null value. */
  filter(entity: string, id: string, setting: { type: FilterType; value: string } | null): void
  /** The next six act on the list that is open. Sets filters, and searches where there is something to search for. */
  narrow(set: readonly FilterSetting[], q: string): void
  /** Clears one filter, by its id or `q` for the search, or all. */
  clearFilters(only?: string): void
  /** Shows one of its named views, by its id, or the next (1) or the previous (-1). */
  view(which: string | 1 | -1): void
  sort(sort: string, order: 'asc' | 'desc'): void
  columns(shown: readonly string[]): void
  /** Lays out the columns of the list that is open, for good; without a column, that of the active cell. */
  arrange(how: Arrangement | { does: 'size' | 'move'; by: 1 | -1 }): void
  refresh(): void
  /** Has the browser print what is on screen. */
  print(): void
  theme(theme: Theme): void
  /** Opens something of the shell. */
  show(what: 'palette' | 'filters' | 'keys' | 'history' | 'pasted-ids'): void
  /** Shows how a batch run stands; without an id, the last one. */
  showRun(run?: string): void
  /** Undoes an entry of the history, or a batch run; without either, the last thing that can be. */
  undo(what?: { entry?: string; run?: string }): void
  /** Stops a batch run of this page, and tries again what failed in one; without an id, the last one where that makes sense. */
  stopRun(run?: string): void
  retryRun(run?: string): void
  /** Plain letters as keys, on or off (WCAG 2.1.4). */
  letterKeys(on: boolean): void
  /** Opens the notes of a record beside the work, with the keyboard where one is written. */
  notes(of: { entity: string; id: string; title: string }): void
  signOut(): Promise<void>
}
