import type { CallHead } from '#contract/define.ts'
import type { Filter, FilterSetting } from '#contract/filter.ts'
import type { SharedView } from '#contract/shared-views.ts'
import type { ExportFormat, Theme } from '#kernel/command-host.ts'

/** The selected rows. Commands match them by the entity's name. */
export interface Selection {
  entity: string
  /** Ids in list order. With `filter`, only the loaded ones. */
  ids: readonly string[]
  /** The loaded rows by id. */
  rows: ReadonlyMap<string, unknown>
  /** Set when all matching rows are selected: the query of the list. */
  filter: Readonly<Record<string, string>> | null
  /** Number of selected rows; null while unknown. */
  count: number | null
  /** `marked` rows were selected explicitly; `active` is the single row or record under the cursor. */
  how: 'marked' | 'active'
}

/** The list that is open. */
export interface OpenPane {
  /** Key of the pane: `employees`. */
  name: string
  entity: string
  title: string
  filters: readonly Filter[]
  set: readonly FilterSetting[]
  /** Whether the list supports text search. */
  searched: boolean
  /** The text that is searched for; empty without one. */
  q: string
  /** Whether a filter, even an unparsed one, or a search narrows the list. */
  narrowed: boolean
  columns: readonly { id: string; title: string }[]
  /** Ids of the rendered rows, in order. */
  shown: readonly string[]
  /** Column of the active cell; null if the whole row is active. */
  cell?: string | null
  /** Address of the list; null for a list in a tab of a record. */
  path: string | null
  /** Filters, sort order and named columns, as in the address. */
  search: string
  /**
   * Its named views and the current one; null if the list matches none. `own` if the person saved it, `shared` if somebody shared
   * it, which its note says.
   */
  named: readonly { id: string; title: string; search: string; own?: true; shared?: SharedView; note?: string }[]
  view: string | null
  /** Whether the list can be restricted to its selected rows. */
  canShowSelected?: boolean
  /** Empty if the list has only one sort order. */
  sorts: readonly { id: string; title: string }[]
  sort: { id: string; order: 'asc' | 'desc' } | null
  /** Format of the last export of a list in this browser. */
  exportFormat?: ExportFormat
}

/** Everything that decides what can be done now. Pure data, so that every answer can be tested. */
export interface CommandContext {
  signedIn: boolean
  /** Ids of the permissions held. */
  held: ReadonlySet<number>
  /** Whether the API behind this portal supports a call and, if given, a parameter of it. */
  supports: (call: CallHead, parameter?: string) => boolean
  selection: Selection | null
  pane: OpenPane | null
  /** The record that is open beside or instead of the list. */
  open: { entity: string; id: string } | null
  /** The focused tab of the record, `employee.invoices`; undefined in its first tab and elsewhere. */
  tab?: string | null
  /** Rows of the list in the focused tab: the marked ones, else the one at the cursor. */
  tabRows?: { of: { entity: string; id: string }; kind: string; rows: readonly unknown[] }
  /**
   * What can be a favourite here, by the id of the command that shows it: null for filters that are no view. Undefined where
   * neither a record nor a list is open.
   */
  favourite?: { id: string | null; is: boolean; isFull: boolean } | undefined
  /** The record whose notes panel is open. */
  notes?: { entity: string; id: string }
  /** The record open beside another one, or beside the list. */
  beside?: { entity: string; id: string }
  online: boolean
  /** Id of the signed-in person. */
  person?: string
  /** Preferences of this browser; forms about them start with these values. */
  choices?: { theme: Theme; letters: boolean }
}
