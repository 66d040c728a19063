import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import type { FilterSetting, FilterType } from '#contract/filter.ts'
import type { Copied } from '#kernel/copied.ts'

/** File formats for the export of a list. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Minimum and maximum width of a list column, in pixels. */
export const columnWidths = { min: 48, max: 800 } as const

/** A change of columns: the width in pixels or by a step, the place by one or before another column, null for the end. */
export type Arrangement =
  | { does: 'size'; column: string; by?: 1 | -1; width?: number }
  | { does: 'move'; column: string; by: 1 | -1 }
  | { does: 'move'; column: string; before: string | null }
  | { does: 'fit'; column?: string }
  | { does: 'reset' }

/** What a command may do to the portal. Implemented by the portal and the terminal. */
export interface CommandHost {
  /** Navigates to an address of the portal. */
  open(path: string, how?: { replace?: boolean; newTab?: boolean }): void
  /** Returns to the previous screen of this tab. */
  back(): void
  /** Address of the current screen, including filters. */
  address(): string
  /** Copies the link of the selected records, or another value of them, and confirms it. */
  copyOf(what: 'link' | Copied): void
  /** Copies a text made from the answer of a call and confirms it, or shows the refusal. */
  copyAnswer<E extends AnyEndpoint>(endpoint: E, at: At, textOf: (answer: AnswerOf<E>) => string, done: string): Promise<void>
  /** Saves the file that a call returns. */
  save(endpoint: AnyEndpoint, at: At, query?: Record<string, string>): Promise<void>
  /** Saves rows of the open list as a file with the visible columns: all that match its filter, or the marked ones. */
  exportList(format: ExportFormat, rows?: 'all' | 'selected'): Promise<void>
  /** Copies the column of the active cell of the open list: of its marked rows, else of all loaded ones. */
  copyColumn(): void
  /** Sets one filter of a list; a null value removes it. */
  filter(entity: string, id: string, setting: { type: FilterType; value: string } | null): void
  /** This and the next five act on the open list. Sets filters, and searches if `q` is not empty. */
  narrow(set: readonly FilterSetting[], q: string): void
  /** Clears one filter by id, `q` for the search, or all. */
  clearFilters(only?: string): void
  /** Shows a named view by id, or the next (1) or previous (-1) one. */
  view(which: string | 1 | -1): void
  /** Shows only the selected rows. */
  showSelected(): void
  sort(sort: string, order: 'asc' | 'desc'): void
  columns(shown: readonly string[]): void
  /** Changes the columns of the open list and saves that; without a column, that of the active cell. */
  arrange(how: Arrangement | { does: 'size' | 'move'; by: 1 | -1 }): void
  refresh(): void
  /** Opens the browser's print dialog. */
  print(): void
  theme(theme: Theme): void
  /** Opens a part of the shell. */
  show(what: 'palette' | 'filters' | 'keys' | 'history' | 'places' | 'favourites' | 'tour' | 'pasted-ids'): void
  /** Adds what is open to the favourites, or removes it. */
  favourite(how: 'add' | 'remove'): void
  /** Shows the progress of a batch run; without an id, of the last one. */
  showRun(run?: string): void
  /** Undoes a history entry or a batch run; without either, the last one that can be undone. */
  undo(what?: { entry?: string; run?: string }): void
  /** Opens the last command on the next row or on the selected record, filled in as last time. */
  repeat(): void
  /** Stops a batch run of this page, or retries its failed rows; without an id, the last run to which that applies. */
  stopRun(run?: string): void
  retryRun(run?: string): void
  /** Turns single-letter keys on or off (WCAG 2.1.4). */
  letterKeys(on: boolean): void
  /** Asks for the new shortcut of a command by its id; without one, opens the page of all shortcuts. */
  changeKeys(command?: string): void
  /** Opens the target beside what is open, or closes the record that is there. */
  beside(does: 'open' | 'close'): void
  /** Opens the notes of a record beside the work and focuses the input. */
  notes(of: { entity: string; id: string; title: string }): void
  signOut(): Promise<void>
}
